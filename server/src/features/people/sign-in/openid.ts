import * as client from 'openid-client'
import { z } from 'zod'
import { ProviderError } from '../../../providers/provider.ts'
import { boundedFetch, redirectUriOf, TIMEOUT_S } from './oauth.ts'
import type { Provider, ProviderAccount, ProviderContext, ProviderOptions } from './provider.ts'

/** Keys and addresses of a provider change rarely. */
const DISCOVERY_LIFE_MS = 60 * 60 * 1000
/** Between our clock and that of the provider. */
const CLOCK_TOLERANCE_S = 30

/** An OpenID provider, discovered when it is first needed. */
export function openIdProvider(options: ProviderOptions, context: ProviderContext): Provider {
  const redirectUri = redirectUriOf(options, context)
  let known: { readonly configuration: client.Configuration; readonly at: number } | null = null

  async function discover(): Promise<client.Configuration> {
    if (known && context.now() - known.at < DISCOVERY_LIFE_MS) return known.configuration
    const { issuer, clientId, clientSecret } = options
    const url = new URL(issuer)
    const configuration = await client.discovery(
      url,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_S },
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        timeout: TIMEOUT_S,
        [client.customFetch]: boundedFetch(context.fetch),
        execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
      },
    )
    configuration.timeout = TIMEOUT_S
    known = { configuration, at: context.now() }
    return configuration
  }

  return {
    options,
    redirectUri,
    check: async () => void (await discover()),

    async authorizationUrl({ state, nonce, verifier }) {
      const configuration = await discover()
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: (options.scopes ?? ['openid', 'profile', 'email']).join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    async accountOf(response, { state, nonce, verifier }) {
      const configuration = await discover()
      const url = new URL(redirectUri)
      url.search = response.toString()
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new ProviderError('the provider sent no ID token')
      // Most providers have names and groups only there.
      const { userinfo_endpoint: more } = configuration.serverMetadata()
      const info = more ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      // Claims of the signed token win. Whether an address is proved is said where the address is.
      const proof = claims['email'] === undefined ? {} : { email_verified: claims['email_verified'] }
      // How someone signed in is in the ID token only, which is about this sign-in.
      return accountIn({ ...info, amr: undefined, ...claims, ...proof }, options)
    },
  }
}

const optionalText = z.string().min(1).nullable().catch(null).default(null)

const Claims = z.object({
  iss: z.string().min(1).max(1024),
  sub: z.string().min(1).max(255),
  name: optionalText,
  preferred_username: optionalText,
  email: optionalText,
  email_verified: z.boolean().catch(false).default(false),
  hd: optionalText,
  amr: z.array(z.string().max(32)).max(16).catch([]).default([]),
})

/** Google's accounts may have an address of any domain; only `hd` says whose they are. */
const GOOGLE = 'https://accounts.google.com'

function accountIn(
  given: Readonly<Record<string, unknown>>,
  { groupsClaim }: ProviderOptions,
): ProviderAccount {
  const claims = Claims.parse(given)
  const { iss: issuer, sub: subject, name, preferred_username: username, email, hd, amr } = claims
  const verified = claims.email_verified ? (email?.split('@').at(-1)?.toLowerCase() ?? null) : null
  return {
    issuer,
    subject,
    name: name ?? username,
    label: email ?? username ?? name ?? subject,
    domain: issuer === GOOGLE ? (hd?.toLowerCase() ?? null) : verified,
    groups: textsAt(given, groupsClaim),
    amr,
  }
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

/** `groups`, or a path such as `realm_access.roles` of Keycloak. A claim with dots in its name is found too. */
function textsAt(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  const found = at(claims, claim) ?? claim.split('.').reduce(at, claims as unknown)
  const list = Array.isArray(found) ? (found as unknown[]) : [found]
  return list.filter((each) => typeof each === 'string')
}
