interface SampleOptions {
  /** Origin of this site, without a trailing slash. */
  readonly origin: string
  readonly client: { readonly id: string; readonly redirectUri: string }
}

/**
 * The steps by which the other site signs a team in. The secret is a placeholder, so that no one pastes it
 * around.
 */
export function sampleOf({ origin, client: { id, redirectUri } }: SampleOptions) {
  const asked = new URLSearchParams({ client_id: id, redirect_uri: redirectUri })
  const sent = `{"clientId": "${id}", "clientSecret": "'"$CLIENT_SECRET"'", "code": "'"$CODE"'"}`
  return {
    send: `${origin}/external-auth/authorize?${asked}&state=STATE`,
    exchange: [
      `curl ${origin}/api/v2/external-auth/token \\`,
      `  -H 'content-type: application/json' \\`,
      `  -d '${sent}'`,
    ].join('\n'),
    read: `curl ${origin}/api/v2/users/me -H "authorization: Bearer $ACCESS_TOKEN"`,
  }
}
