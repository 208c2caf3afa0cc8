interface Denial {
  readonly redirectUri: string
  readonly state: string | null
  /** Of a site with OpenID Connect. */
  readonly issuer?: string | undefined
  readonly error?: string
}

/** The redirect URL after a refusal. Keeps the registered URL's own parameters. */
export function deniedAddress({ redirectUri, state, issuer, error = 'access_denied' }: Denial): string {
  const url = new URL(redirectUri)
  url.searchParams.set('error', error)
  if (state !== null) url.searchParams.set('state', state)
  // So that the site does not take it for a response of another provider (RFC 9207).
  if (issuer !== undefined) url.searchParams.set('iss', issuer)
  return url.href
}
