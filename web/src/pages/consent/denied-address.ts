/** Where somebody goes on who does not want to: the registered address, whose own parameters stay. */
export function deniedAddress(redirectUri: string, state: string | null): string {
  const url = new URL(redirectUri)
  url.searchParams.set('error', 'access_denied')
  if (state !== null) url.searchParams.set('state', state)
  return url.href
}
