import { z } from 'zod'
import { badTokenVerification, goodRegisterV2 } from './accounts.ts'
import { TokenText, UnixMs } from './fields.ts'
import { AdminPage } from './filters.ts'
import { Instant } from './instants.ts'
import { organiserRoute, reply, route } from './route.ts'

// Registration by code, by approval and with a waiting list: docs/reference/registration.md

export const registrationLimits = {
  label: 100,
  reason: 500,
  codesAtOnce: 1000,
  uses: 10_000,
  /** Of one call. Each makes a team, and all of them one transaction. */
  decisions: 100,
  csv: 500_000,
  teams: 2000,
}

export const WaitsFor = z.enum(['approval', 'place'])
export const RequestState = z.enum(['waiting', 'approved', 'refused'])

export const goodRegistrationStatus = reply(
  200,
  'goodRegistrationStatus',
  'The state of the registration.',
  z.object({
    name: z.string(),
    state: RequestState,
    waitsFor: WaitsFor,
    position: z.int().optional().describe('In the queue, from 1. Only while it waits.'),
    reason: z.string().optional().describe('Of a refusal, if organisers gave one.'),
  }),
)

const own = {
  method: 'POST',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  body: z.object({ token: TokenText.describe('Of `goodRegistrationPending`.') }),
  limits: ['signIns'],
} as const

export const readRegistration = route({
  ...own,
  path: '/api/v2/auth/registration',
  summary: 'The state of a registration that organisers decide about, or that waits for a place.',
  replies: [goodRegistrationStatus, badTokenVerification],
})

export const claimRegistration = route({
  ...own,
  path: '/api/v2/auth/registration/claim',
  summary: 'Signs in as the team of an approved registration. The token works once.',
  replies: [goodRegisterV2, badTokenVerification],
})

export const RegistrationRequest = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  division: z.string(),
  waitsFor: WaitsFor,
  state: RequestState,
  reason: z.string().nullable(),
  teamId: z.string().nullable(),
  createdAt: UnixMs,
  decidedAt: UnixMs.nullable(),
})

export const RegistrationCode = z.object({
  id: z.string(),
  code: z.string(),
  label: z.string(),
  division: z.string().nullable(),
  maxUses: z.int(),
  uses: z.int().describe('Teams and waiting registrations that have used it.'),
  expiresAt: UnixMs.nullable(),
  revokedAt: UnixMs.nullable(),
  createdAt: UnixMs,
})

export const goodRegistrations = reply(
  200,
  'goodRegistrations',
  'Registrations.',
  z.object({
    total: z.int(),
    registrations: z.array(RegistrationRequest),
    teams: z.int().describe('Teams that count for `maxTeams`.'),
  }),
)
export const goodRegistrationDecisions = reply(
  200,
  'goodRegistrationDecisions',
  'The registrations were decided.',
  z.object({
    decided: z.array(z.string()),
    problems: z
      .array(z.object({ id: z.string(), problem: z.enum(['name', 'email', 'extrankId', 'decided']) }))
      .describe('Registrations that still wait: what another team has, or `decided` if it waits no longer.'),
  }),
)
export const goodRegistrationCodes = reply(
  200,
  'goodRegistrationCodes',
  'Registration codes.',
  z.object({ total: z.int(), codes: z.array(RegistrationCode) }),
)
export const goodRegistrationCodesCreate = reply(
  200,
  'goodRegistrationCodesCreate',
  'The codes were created.',
  z.object({ codes: z.array(RegistrationCode) }),
)
export const goodRegistrationCodesRevoke = reply(
  200,
  'goodRegistrationCodesRevoke',
  'The codes were revoked.',
  z.object({ revoked: z.int() }),
)
export const badTooManyCodes = reply(
  409,
  'badTooManyCodes',
  'There are too many codes that can still be used. Revoke some first.',
)

const organiser = { perms: ['usersWrite'] } as const
const Ids = (max: number) => z.array(z.string().min(1).max(255)).min(1).max(max)

export const listRegistrations = organiserRoute({
  ...organiser,
  scope: 'teams:read',
  method: 'GET',
  path: '/api/v2/admin/registrations',
  summary: 'Registrations that wait for organisers or for a place, oldest first, or those decided.',
  query: AdminPage.extend({ state: RequestState.default('waiting').describe('Which ones.') }),
  replies: [goodRegistrations],
})

export const approveRegistrations = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'POST',
  path: '/api/v2/admin/registrations/approve',
  summary: 'Creates the teams of waiting registrations, also beyond `maxTeams`.',
  body: z.object({ data: z.object({ ids: Ids(registrationLimits.decisions) }) }),
  bodyCap: 'admin',
  replies: [goodRegistrationDecisions],
})

export const refuseRegistrations = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'POST',
  path: '/api/v2/admin/registrations/refuse',
  summary: 'Refuses waiting registrations. The applicant sees the reason.',
  body: z.object({
    data: z.object({
      ids: Ids(registrationLimits.decisions),
      reason: z.string().trim().max(registrationLimits.reason).default(''),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodRegistrationDecisions],
})

export const listRegistrationCodes = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'GET',
  path: '/api/v2/admin/registration-codes',
  summary: 'Codes to register with, newest first.',
  query: AdminPage,
  secret: true,
  replies: [goodRegistrationCodes],
})

export const createRegistrationCodes = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'POST',
  path: '/api/v2/admin/registration-codes',
  summary: 'Creates codes to register with.',
  body: z.object({
    data: z.object({
      amount: z.int().min(1).max(registrationLimits.codesAtOnce),
      uses: z.int().min(1).max(registrationLimits.uses).default(1),
      division: z.string().max(255).nullable().default(null),
      expiresAt: Instant.nullable().default(null),
      label: z.string().trim().max(registrationLimits.label).default(''),
    }),
  }),
  bodyCap: 'admin',
  secret: true,
  replies: [goodRegistrationCodesCreate, badTooManyCodes],
})

export const revokeRegistrationCodes = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'POST',
  path: '/api/v2/admin/registration-codes/revoke',
  summary: 'Makes codes useless. Teams that registered with them stay.',
  body: z.object({ data: z.object({ ids: Ids(registrationLimits.codesAtOnce) }) }),
  bodyCap: 'admin',
  replies: [goodRegistrationCodesRevoke],
})

export const TeamFileProblem = z.object({
  line: z.int().describe('In the file, from 1.'),
  column: z.string().nullable().describe('Null for the whole line.'),
  problem: z.enum([
    'noColumn',
    'unknownColumn',
    'unreadable',
    'badName',
    'badEmail',
    'badDivision',
    'badCountry',
    'badAnswer',
    'twiceName',
    'twiceEmail',
    'knownName',
    'knownEmail',
    'tooMany',
    'noTeams',
  ]),
})

export const goodTeamImport = reply(
  200,
  'goodTeamImport',
  'The file was read.',
  z.object({
    created: z.boolean().describe('False for a dry run and with problems: all teams are created, or none.'),
    teams: z.array(
      z.object({
        name: z.string(),
        email: z.string(),
        division: z.string(),
        token: z.string().optional().describe('A team token, if the team was created.'),
      }),
    ),
    problems: z.array(TeamFileProblem),
  }),
)

export const importTeams = organiserRoute({
  ...organiser,
  scope: 'teams:write',
  method: 'POST',
  path: '/api/v2/admin/teams/import',
  summary:
    'Creates the teams of a CSV file with the columns name, email, division, country, and the ids of fields.',
  body: z.object({
    data: z.object({
      csv: z.string().min(1).max(registrationLimits.csv),
      dryRun: z.boolean().default(true),
      mail: z.boolean().default(false).describe('Sends each team a sign-in link, if mail is configured.'),
    }),
  }),
  bodyCap: 'admin',
  secret: true,
  replies: [goodTeamImport],
})

export const registrationRouteList = [
  readRegistration,
  claimRegistration,
  listRegistrations,
  approveRegistrations,
  refuseRegistrations,
  listRegistrationCodes,
  createRegistrationCodes,
  revokeRegistrationCodes,
  importTeams,
] as const
