/** The redirect URL after a refusal. Keeps the registered URL's own parameters. */
export function deniedAddress(redirectUri: string, state: string | null): string {
  const url = new URL(redirectUri)
  url.searchParams.set('error', 'access_denied')
  if (state !== null) url.searchParams.set('state', state)
  return url.href
}
