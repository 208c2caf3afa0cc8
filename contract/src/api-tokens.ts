import { z } from 'zod'
import { badUserPrivileged } from './admin-teams.ts'
import { TeamId, UnixMs } from './fields.ts'
import { instantUntil } from './instants.ts'
import { badToken, badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'
import { allScopes } from './scopes.ts'

// Tokens for programs, which may do a part of what their owner may: docs/reference/api-tokens.md

/** Tokens of one owner, and characters of a name. */
export const apiTokenLimits = { stored: 20, name: 100 }

/** The end of the year 9998. */
const LAST_TIME = Date.UTC(9999, 0, 1) - 1
/** No control characters, and none that turn the direction of a text or cannot be seen. */
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

export const ApiTokenName = z
  .string()
  .trim()
  .min(1)
  .max(apiTokenLimits.name)
  .refine((text) => VISIBLE.test(text), { error: 'has characters that cannot be seen' })

export const Scopes = z
  .array(z.enum(allScopes))
  .min(1)
  .max(allScopes.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'has a scope twice' })

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: UnixMs,
  expiresAt: UnixMs.nullable().describe('Null if it does not expire.'),
  isValid: z.boolean().describe('False once it has expired or its owner signed out everywhere.'),
  lastUsedAt: UnixMs.nullable().describe('Up to a minute old.'),
  lastUsedIp: z.string().nullable(),
})

export const goodApiTokens = reply(
  200,
  'goodApiTokens',
  'API tokens.',
  z.object({
    tokens: z.array(ApiToken).max(apiTokenLimits.stored),
    maxLifetimeMs: z.int().nullable().describe('The longest time that a new token may be valid.'),
  }),
)
export const goodApiTokenCreate = reply(
  200,
  'goodApiTokenCreate',
  'The token was created; it is shown only now.',
  z.object({ apiToken: ApiToken, token: z.string() }),
)
export const goodApiTokenRevoke = reply(200, 'goodApiTokenRevoke', 'The token was revoked.')
export const goodAdminApiTokens = reply(
  200,
  'goodAdminApiTokens',
  'API tokens of a team.',
  z.object({
    tokens: z.array(
      ApiToken.extend({
        person: z
          .object({ id: z.string(), name: z.string() })
          .nullable()
          .describe('Who made it; null for the team itself.'),
      }),
    ),
  }),
)
export const badApiToken = reply(404, 'badApiToken', 'No such API token.')
export const badApiTokenCount = reply(
  409,
  'badApiTokenCount',
  'There are too many API tokens. Revoke one first.',
  z.object({ max: z.int() }),
)

const own = { path: '/api/v2/users/me/tokens', auth: 'required', scope: null, shows: [] } as const
const TokenId = z.string().min(1).max(64)

export const listApiTokens = route({
  ...own,
  method: 'GET',
  summary: "List the caller's API tokens, oldest first.",
  limits: ['teamReads'],
  replies: [goodApiTokens],
})

export const createApiToken = route({
  ...own,
  method: 'POST',
  summary: 'Create a token for a program. It is shown this once.',
  body: z.object({
    name: ApiTokenName,
    scopes: Scopes,
    expiresAt: instantUntil(LAST_TIME).nullable().default(null),
  }),
  secret: true,
  limits: ['teamWrites'],
  replies: [goodApiTokenCreate, badToken, badApiTokenCount],
})

export const revokeApiToken = route({
  ...own,
  method: 'DELETE',
  path: '/api/v2/users/me/tokens/:id',
  summary: "Revoke one of the caller's API tokens.",
  params: z.object({ id: TokenId }),
  limits: ['teamWrites'],
  replies: [goodApiTokenRevoke, badApiToken],
})

const ofTeam = { path: '/api/v2/admin/users/:id/tokens', perms: ['usersWrite'] } as const

export const listTeamApiTokens = organiserRoute({
  ...ofTeam,
  method: 'GET',
  scope: 'teams:read',
  summary: 'List the API tokens of a team and its people, oldest first.',
  params: z.object({ id: TeamId }),
  replies: [goodAdminApiTokens, badUnknownUser],
})

export const revokeTeamApiToken = organiserRoute({
  ...ofTeam,
  method: 'DELETE',
  path: '/api/v2/admin/users/:id/tokens/:tokenId',
  scope: 'teams:write',
  summary: 'Revoke an API token of a team. Of a team with permissions only with all permissions.',
  params: z.object({ id: TeamId, tokenId: TokenId }),
  replies: [goodApiTokenRevoke, badApiToken, badUserPrivileged],
})

export const apiTokenRouteList = [
  listApiTokens,
  createApiToken,
  revokeApiToken,
  listTeamApiTokens,
  revokeTeamApiToken,
] as const
