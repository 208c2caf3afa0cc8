import { z } from 'zod'
import { BotInput, ChallengeFileV1, ChallengeFileV2 } from './challenges.ts'
import { ChallengeId, Int32, TeamId } from './fields.ts'
import { badBody, badBodySize, badChallenge, badJson, badPerms, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// What organisers see and change of challenges (contract, admin B.1).

/** Far more than a challenge has; lists without an end are refused. */
const MOST = { flags: 100, files: 1000, expose: 100, tags: 100 }

/** The last instant that a date can name. */
const LAST_INSTANT = 8_640_000_000_000_000

export const defaultFlagProvider = 'flags/static'

const Points = z
  .object({ min: Int32, max: Int32 })
  .refine(({ min, max }) => min <= max, { path: ['min'], error: 'must not be above max' })

const Scoring = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('decay') }),
  z.object({ kind: z.literal('static') }),
  z.object({
    kind: z.literal('dynamic'),
    source: z.object({ transport: z.literal('webhook').default('webhook'), secret: z.string().min(1) }),
  }),
])

const Exposed = z.object({
  kind: z.enum(['tcp', 'tcp-ssl', 'http', 'https']),
  hostPrefix: z
    .string()
    .max(63)
    .regex(/^[a-z0-9-]+$/),
  containerName: z.string(),
  containerPort: z.int().min(1).max(65535),
  shouldDisplay: z.boolean().default(true),
  title: z.string().optional(),
})

/** Instancer settings of a challenge as they are stored (contract, admin 4.1). */
export const InstancerConfig = z.object({
  challengeIntegrationId: z.string(),
  instancer: z.string().optional(),
  config: z.record(z.string(), z.unknown()),
  expose: z.array(Exposed),
  timeoutMilliseconds: z.int(),
  extendable: z.boolean().optional(),
})

/** 0 is what settings have that never named one: what was read can be written back. */
const Lifetime = z
  .int()
  .refine((ms) => ms === 0 || (ms >= 1000 && ms <= 86_400_000), { error: 'must be 1000 to 86400000' })

const InstancerPatch = z.object({
  challengeIntegrationId: z.string().max(255).optional(),
  instancer: z.string().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  expose: z.array(Exposed).max(MOST.expose).optional(),
  timeoutMilliseconds: Lifetime.optional(),
  extendable: z.boolean().optional(),
})

/** Admin-bot settings of a challenge as they are stored: the code and what was derived from it. */
export const AdminBotConfig = z.object({
  code: z.string(),
  inputs: z.record(z.string(), BotInput),
  revision: z.string(),
  timeoutMilliseconds: z.int(),
  requireInstancerInstancesRunning: z.boolean(),
})

const Flag = z.object({ provider: z.string(), config: z.record(z.string(), z.unknown()) })

export const AdminChallengeV1 = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  author: z.string(),
  files: z.array(ChallengeFileV1),
  points: z.object({ min: z.int(), max: z.int() }),
  flag: z.string(),
  tiebreakEligible: z.boolean(),
  sortWeight: z.number().optional(),
})

export const AdminChallengeV2 = AdminChallengeV1.extend({
  files: z.array(ChallengeFileV2),
  flags: z.array(Flag),
  sortWeight: z.number().nullable(),
  instancerConfig: InstancerConfig.nullable(),
  adminBotConfig: AdminBotConfig.nullable(),
  hidden: z.boolean(),
  releaseTime: z.number().nullable(),
  scoring: Scoring,
  tags: z.array(z.string()),
})

/** With the count of all solve rows, those of banned teams included. */
export const AdminChallengeDetail = AdminChallengeV2.extend({ solveCount: z.int() })

// In the order of the contract's table: the first field that is wrong is the one that is told.
const WrittenTexts = {
  name: z.string().optional(),
  category: z.string().optional(),
  author: z.string().optional(),
  description: z.string().optional(),
  flag: z.string().optional(),
}

const WriteV1 = z.object({
  ...WrittenTexts,
  points: Points.optional(),
  tiebreakEligible: z.boolean().optional(),
  files: z.array(ChallengeFileV1).max(MOST.files).optional(),
  sortWeight: z.number().optional(),
})

const WrittenFlag = Flag.extend({ provider: z.string().default(defaultFlagProvider) })
const WrittenFile = ChallengeFileV1.extend({ size: z.int().min(0).nullable().optional() })

const WriteV2 = z.object({
  ...WrittenTexts,
  flags: z.array(WrittenFlag).max(MOST.flags).optional(),
  points: Points.optional(),
  tiebreakEligible: z.boolean().optional(),
  files: z.array(WrittenFile).max(MOST.files).optional(),
  sortWeight: z.number().nullable().optional(),
  hidden: z.boolean().optional(),
  releaseTime: z.int().min(0).max(LAST_INSTANT).nullable().optional(),
  instancerConfig: InstancerPatch.nullable().optional(),
  adminBotConfig: z.object({ code: z.string() }).nullable().optional(),
  scoring: Scoring.optional(),
  tags: z.array(z.string()).max(MOST.tags).nullable().optional(),
})

const all = 'All challenges.'
export const goodAdminChallengesV1 = reply(200, 'goodAdminChallenges', all, z.array(AdminChallengeV1))
export const goodAdminChallengesV2 = reply(200, 'goodAdminChallenges', all, z.array(AdminChallengeV2))
export const goodAdminChallengeV1 = reply(200, 'goodAdminChallenge', 'One challenge.', AdminChallengeV1)
export const goodAdminChallengeV2 = reply(200, 'goodAdminChallenge', 'One challenge.', AdminChallengeDetail)
const saved = 'The challenge was saved.'
export const goodChallengeUpdate = reply(200, 'goodChallengeUpdate', saved, AdminChallengeV1)
export const goodChallengeUpdateV2 = reply(200, 'goodChallengeUpdateV2', saved, AdminChallengeV2)
export const goodChallengeDelete = reply(200, 'goodChallengeDelete', 'The challenge was deleted.')
export const goodChallengeSolveDelete = reply(200, 'goodChallengeSolveDelete', 'The solve was deleted.')
export const goodFlagProviders = reply(
  200,
  'goodFlagProviders',
  'Kinds of flags.',
  z.object({
    defaultProvider: z.string(),
    providers: z.array(z.object({ name: z.string(), schema: z.record(z.string(), z.unknown()) })),
  }),
)
export const badInstancerConfig = reply(
  400,
  'badInstancerConfig',
  'The instancer configuration is invalid.',
  z.object({ error: z.string() }),
)
export const badAdminBotConfig = reply(
  400,
  'badAdminBotConfig',
  'The admin-bot request or configuration is invalid.',
  z.object({ error: z.string() }),
)
export const badUnknownSolve = reply(404, 'badUnknownSolve', 'No such solve.')

/** Flags and the webhook's secret are in the answers. */
const read = { method: 'GET', auth: 'required', perms: ['challsRead'], secret: true } as const
const one = { params: z.object({ id: ChallengeId }) } as const

const list = { ...read, summary: 'Lists all challenges, hidden and unreleased ones too.' } as const
export const listAdminChallengesV1 = route({
  ...list,
  path: '/api/v1/admin/challs',
  replies: [goodAdminChallengesV1, badToken, badPerms],
})
export const listAdminChallengesV2 = route({
  ...list,
  path: '/api/v2/admin/challs',
  replies: [goodAdminChallengesV2, badToken, badPerms],
})

const readOne = { ...read, ...one, summary: 'Reads one challenge.' } as const
export const readAdminChallengeV1 = route({
  ...readOne,
  path: '/api/v1/admin/challs/:id',
  replies: [goodAdminChallengeV1, badBody, badToken, badPerms, badChallenge],
})
export const readAdminChallengeV2 = route({
  ...readOne,
  path: '/api/v2/admin/challs/:id',
  replies: [goodAdminChallengeV2, badBody, badToken, badPerms, badChallenge],
})

const write = {
  ...one,
  method: 'PUT',
  auth: 'required',
  perms: ['challsWrite'],
  bodyCap: 'admin',
  summary: 'Changes the fields that are given; makes the challenge when there is none.',
} as const
const writeReplies = [badBody, badJson, badBodySize, badToken, badPerms] as const

export const putChallengeV1 = route({
  ...write,
  path: '/api/v1/admin/challs/:id',
  body: z.object({ data: WriteV1 }),
  replies: [goodChallengeUpdate, ...writeReplies],
})
export const putChallengeV2 = route({
  ...write,
  path: '/api/v2/admin/challs/:id',
  body: z.object({ data: WriteV2 }),
  replies: [goodChallengeUpdateV2, badInstancerConfig, badAdminBotConfig, ...writeReplies],
})

export const deleteChallenge = route({
  ...one,
  method: 'DELETE',
  path: '/api/v1/admin/challs/:id',
  summary: 'Deletes a challenge with its solves. Deleting it again is no error.',
  auth: 'required',
  perms: ['challsWrite'],
  replies: [goodChallengeDelete, badBody, badToken, badPerms],
})

export const deleteSolve = route({
  method: 'DELETE',
  path: '/api/v2/admin/challs/:challengeId/solves/:userId',
  summary: "Takes a team's solve of a challenge back. The team may solve it again.",
  auth: 'required',
  perms: ['challsSolveWrite'],
  params: z.object({ challengeId: ChallengeId, userId: TeamId }),
  replies: [goodChallengeSolveDelete, badBody, badToken, badPerms, badUnknownSolve],
})

export const listFlagProviders = route({
  method: 'GET',
  path: '/api/v2/admin/flags/providers',
  summary: 'Lists the kinds of flags and what each takes.',
  auth: 'required',
  perms: ['challsRead'],
  replies: [goodFlagProviders, badToken, badPerms],
})

export const adminChallengeRouteList = [
  listAdminChallengesV1,
  listAdminChallengesV2,
  readAdminChallengeV1,
  readAdminChallengeV2,
  putChallengeV1,
  putChallengeV2,
  deleteChallenge,
  deleteSolve,
  listFlagProviders,
] as const
