import { z } from 'zod'
import { reply, route } from './route.ts'

// Pennant as an OpenID provider of other sites: docs/reference/openid.md

/** Below the public URL of the site: part of the identity of every account, so it never changes. */
export const OPENID_PATH = '/api/v2/openid'

export const openIdScopes = ['openid', 'profile', 'team', 'division'] as const
export type OpenIdScope = (typeof openIdScopes)[number]

/** What a site sends with the browser of a visitor, besides its id, address and state. */
export const OpenIdRequest = z.object({
  scopes: z.array(z.enum(openIdScopes)).min(1).max(openIdScopes.length),
  nonce: z.string().max(255).optional(),
  codeChallenge: z
    .string()
    .regex(/^[\w-]{43}$/)
    .describe('Base64url of the SHA-256 of the verifier (S256).'),
})

const Claims = z.object({
  sub: z.string().describe('`person:<id>`, or `team:<id>` if the team signed in by its own token.'),
  name: z.string().optional().describe('With the scope `profile`.'),
  team: z.object({ id: z.string(), name: z.string() }).optional().describe('With the scope `team`.'),
  division: z.string().optional().describe('With the scope `division`.'),
})

const OpenIdError = z.object({ error: z.string(), error_description: z.string() })

export const goodOpenIdConfiguration = reply(
  200,
  'goodOpenIdConfiguration',
  'How sites sign visitors in.',
  z.object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    jwks_uri: z.string(),
    scopes_supported: z.array(z.string()),
    claims_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
    claims_parameter_supported: z.boolean(),
    request_parameter_supported: z.boolean(),
    request_uri_parameter_supported: z.boolean(),
  }),
)
export const goodOpenIdKeys = reply(
  200,
  'goodOpenIdKeys',
  'Public keys of the signatures.',
  z.object({
    keys: z
      .array(
        z.object({
          kty: z.string(),
          n: z.string(),
          e: z.string(),
          kid: z.string(),
          alg: z.string(),
          use: z.string(),
        }),
      )
      .max(10),
  }),
)
export const goodOpenIdToken = reply(
  200,
  'goodOpenIdToken',
  'Tokens were issued.',
  z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    id_token: z.string(),
    scope: z.string(),
  }),
)
export const goodOpenIdUser = reply(200, 'goodOpenIdUser', 'Who signed in.', Claims)
export const badOpenIdToken = reply(400, 'badOpenIdToken', 'No token was issued.', OpenIdError)
export const badOpenIdClient = reply(401, 'badOpenIdClient', 'The site did not prove who it is.', OpenIdError)
export const badOpenIdAccess = reply(401, 'badOpenIdAccess', 'The access token is not valid.', OpenIdError)

export const readOpenIdConfiguration = route({
  method: 'GET',
  path: `${OPENID_PATH}/.well-known/openid-configuration`,
  summary: 'OpenID Connect discovery.',
  auth: 'public',
  shows: [],
  unwrapped: true,
  limits: ['publicReads'],
  replies: [goodOpenIdConfiguration],
})

export const readOpenIdKeys = route({
  method: 'GET',
  path: `${OPENID_PATH}/keys`,
  summary: 'Keys that verify ID tokens, the newest first.',
  auth: 'public',
  shows: [],
  unwrapped: true,
  limits: ['publicReads'],
  replies: [goodOpenIdKeys],
})

export const exchangeOpenIdCode = route({
  method: 'POST',
  path: `${OPENID_PATH}/token`,
  summary: 'Exchange a code, once and within a minute, for an ID token and an access token.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  unwrapped: 'errors',
  formType: 'application/x-www-form-urlencoded',
  form: z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    redirect_uri: z.string(),
    code_verifier: z.string(),
    client_id: z.string().optional().describe('Or in `Authorization: Basic …`.'),
    client_secret: z.string().optional().describe('Or in `Authorization: Basic …`.'),
  }),
  limits: ['signIns'],
  replies: [goodOpenIdToken, badOpenIdToken, badOpenIdClient],
})

const user = {
  path: `${OPENID_PATH}/userinfo`,
  auth: 'public',
  secret: true,
  unwrapped: 'errors',
  limits: ['signIns'],
  replies: [goodOpenIdUser, badOpenIdAccess],
} as const

export const readOpenIdUser = route({
  ...user,
  method: 'GET',
  summary: 'Who signed in, with the access token in `Authorization: Bearer …`.',
  shows: [],
})

export const postOpenIdUser = route({ ...user, method: 'POST', summary: 'As `GET`.' })

export const openIdRouteList = [
  readOpenIdConfiguration,
  readOpenIdKeys,
  exchangeOpenIdCode,
  readOpenIdUser,
  postOpenIdUser,
] as const
