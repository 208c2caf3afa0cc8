import { z } from 'zod'
import { badRateLimit } from './replies.ts'
import { OpenIdRequest } from './openid.ts'
import { organiserRoute, reply, route } from './route.ts'

// Sign-in at other sites with a team of this contest: docs/reference/external-auth.md#sign-in-at-another-site
// The clients: docs/reference/administration.md#external-auth-clients

/** Stored and compared verbatim: no wildcards, no normalisation. */
export const RedirectUri = z
  .string()
  .max(1024)
  .refine((text) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text), {
    error: 'must be an absolute http or https URL',
  })
  .meta({ 'x-address': true })

const PublicClient = z.object({
  id: z.string(),
  name: z.string(),
  redirectUri: z.string(),
  issuer: z.string().optional().describe('Of a site that uses OpenID Connect; absent for the others.'),
})

export const ExternalAuthClient = PublicClient.extend({
  createdAt: z.string().describe('ISO 8601.'),
  createdBy: z.string().nullable().describe("The admin's team; null when it was deleted."),
})

export const badExternalAuthRequest = reply(
  400,
  'badExternalAuthRequest',
  'The external-auth request was refused.',
)

export const goodExternalAuthClient = reply(
  200,
  'goodExternalAuthClient',
  'External-auth client.',
  PublicClient,
)
export const goodExternalAuthAuthorize = reply(
  200,
  'goodExternalAuthAuthorize',
  'Continue at the returned address.',
  z.object({ redirectTo: z.string() }),
)
export const goodExternalAuthToken = reply(
  200,
  'goodExternalAuthToken',
  'Access token issued.',
  z.object({ accessToken: z.string(), tokenType: z.literal('bearer') }),
)
export const goodAdminExternalAuthClients = reply(
  200,
  'goodAdminExternalAuthClients',
  'External-auth clients.',
  z.array(ExternalAuthClient),
)
export const goodAdminExternalAuthClientCreate = reply(
  200,
  'goodAdminExternalAuthClientCreate',
  'The client was created; the secret is shown only now.',
  ExternalAuthClient.extend({ secret: z.string() }),
)
export const goodAdminExternalAuthClientDelete = reply(
  200,
  'goodAdminExternalAuthClientDelete',
  'The client was deleted.',
)

const ClientId = z.object({ id: z.string().min(1).max(255) })

export const readExternalAuthClient = route({
  method: 'GET',
  path: '/api/v2/external-auth/clients/:id',
  summary: 'Tell which site asks for a sign-in.',
  auth: 'public',
  shows: [],
  params: ClientId,
  limits: ['signIns'],
  replies: [goodExternalAuthClient, badExternalAuthRequest],
})

export const authorizeExternalAuth = route({
  method: 'POST',
  path: '/api/v2/external-auth/authorize',
  summary: 'Consent to be signed in at another site: gives the address to continue at, with a code for it.',
  auth: 'required',
  scope: null,
  ownTokenOnly: true,
  notBanned: true,
  secret: true,
  body: z.object({
    clientId: z.string(),
    redirectUri: RedirectUri,
    state: z.string().optional(),
    openid: OpenIdRequest.optional().describe('For a site that uses OpenID Connect, and only for it.'),
  }),
  limits: ['teamWrites'],
  replies: [goodExternalAuthAuthorize, badExternalAuthRequest, badRateLimit],
})

export const exchangeExternalAuthCode = route({
  method: 'POST',
  path: '/api/v2/external-auth/token',
  summary:
    'Exchange a code, once and within a minute, for an auth token of the team that gave it, without permissions.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  body: z.object({ clientId: z.string(), clientSecret: z.string(), code: z.string() }),
  limits: ['signIns'],
  compatible: true,
  replies: [goodExternalAuthToken, badExternalAuthRequest],
})

const clients = {
  compatible: true,
  path: '/api/v2/admin/external-auth/clients',
  perms: ['usersWrite'],
  scope: null,
} as const

export const listExternalAuthClients = organiserRoute({
  ...clients,
  method: 'GET',
  summary: 'List the sites that may sign teams in, oldest first.',
  replies: [goodAdminExternalAuthClients],
})

export const createExternalAuthClient = organiserRoute({
  ...clients,
  method: 'POST',
  summary: 'Let a site sign teams in. Its secret is shown this once.',
  secret: true,
  bodyCap: 'admin',
  body: z.object({
    name: z.string().min(1).max(100),
    redirectUri: RedirectUri,
    kind: z
      .enum(['external-auth', 'openid'])
      .default('external-auth')
      .describe('`openid`: the site signs in with OpenID Connect and learns who a visitor is, nothing more.'),
  }),
  replies: [goodAdminExternalAuthClientCreate],
})

export const deleteExternalAuthClient = organiserRoute({
  ...clients,
  method: 'DELETE',
  path: '/api/v2/admin/external-auth/clients/:id',
  summary:
    'Stop a site from signing teams in. Tokens that it was given stay valid, unless they are to end with it.',
  params: ClientId,
  query: z.object({
    tokens: z
      .enum(['keep', 'end'])
      .default('keep')
      .describe('`end`: tokens that the site was given are refused from now on.'),
  }),
  replies: [goodAdminExternalAuthClientDelete, badExternalAuthRequest],
})

export const externalAuthRouteList = [
  readExternalAuthClient,
  authorizeExternalAuth,
  exchangeExternalAuthCode,
  listExternalAuthClients,
  createExternalAuthClient,
  deleteExternalAuthClient,
] as const
