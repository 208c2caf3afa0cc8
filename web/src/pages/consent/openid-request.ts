import { openIdScopes, type OpenIdScope } from '@pennant/contract/openid.ts'

export interface OpenIdRequest {
  readonly scopes: OpenIdScope[]
  readonly nonce?: string
  readonly codeChallenge: string
}

const MAX_NONCE = 255

/**
 * The request of a site with OpenID Connect (its sections 3.1.2.1 and 3.1.2.2), or null if it lacks something or wants what is not
 * supported. Scopes that do not exist here are ignored.
 */
export function openIdRequestIn(search: URLSearchParams): OpenIdRequest | null {
  const asked = new Set((search.get('scope') ?? '').split(' '))
  const isSupported =
    asked.has('openid') &&
    search.get('response_type') === 'code' &&
    search.get('code_challenge_method') === 'S256' &&
    [null, 'query'].includes(search.get('response_mode')) &&
    !search.has('request') &&
    !search.has('request_uri')
  const nonce = search.get('nonce')
  const codeChallenge = search.get('code_challenge') ?? ''
  if (!isSupported || !/^[\w-]{43}$/.test(codeChallenge) || (nonce?.length ?? 0) > MAX_NONCE) return null
  const scopes = openIdScopes.filter((scope) => asked.has(scope))
  return { scopes, ...(nonce !== null && { nonce }), codeChallenge }
}
