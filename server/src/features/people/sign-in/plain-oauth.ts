import * as client from 'openid-client'
import { z } from 'zod'
import { boundedFetch, redirectUriOf, TIMEOUT_S } from './oauth.ts'
import type { Provider, ProviderContext, ProviderOptions } from './provider.ts'

// Sites with OAuth 2 and an own address for the account. Without an ID token there is no nonce; the code is bound by
// PKCE, and to this provider by its own redirect address.

interface Site {
  readonly authorize: string
  readonly token: string
  readonly user: string
  readonly scopes: readonly string[]
}

const SITES: Readonly<Record<string, Site>> = {
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    user: 'https://api.github.com/user',
    scopes: ['read:user'],
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    user: 'https://discord.com/api/users/@me',
    scopes: ['identify'],
  },
}

/** Of GitHub and of Discord. Ids never change and are never given again; names are. */
const User = z.object({
  id: z.union([z.int(), z.string().regex(/^\d{1,32}$/)]).transform(String),
  login: z.string().optional(),
  username: z.string().optional(),
  name: z.string().nullish(),
  global_name: z.string().nullish(),
})

export function plainOauthProvider(options: ProviderOptions, context: ProviderContext): Provider {
  const site = SITES[options.preset ?? '']
  if (!site) throw new Error(`${options.id} is no OAuth site`)
  const { issuer, clientId, clientSecret } = options
  const redirectUri = redirectUriOf(options, context)
  const server = { issuer, authorization_endpoint: site.authorize, token_endpoint: site.token }
  const configuration = new client.Configuration(server, clientId, {}, client.ClientSecretPost(clientSecret))
  configuration[client.customFetch] = boundedFetch(context.fetch)
  configuration.timeout = TIMEOUT_S
  return {
    options,
    redirectUri,
    // There is nothing to discover.
    check: async () => {},
    authorizationUrl: async ({ state, verifier }) =>
      client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: (options.scopes ?? site.scopes).join(' '),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href,
    async accountOf(response, { state, verifier }) {
      const url = new URL(redirectUri)
      url.search = response.toString()
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      const answer = await client.fetchProtectedResource(
        configuration,
        tokens.access_token,
        new URL(site.user),
        'GET',
        null,
        new Headers({ accept: 'application/json', 'user-agent': 'pennant' }),
      )
      const { id, login, username, name, global_name: shownName } = User.parse(await answer.json())
      const label = login ?? username ?? id
      return {
        issuer,
        subject: id,
        name: name ?? shownName ?? label,
        label,
        domain: null,
        groups: [],
        amr: [],
      }
    },
  }
}
