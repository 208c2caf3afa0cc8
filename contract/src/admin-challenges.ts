import { z } from 'zod'
import { DAY_MS } from './durations.ts'
import { BotInput, ChallengeFileV1, ChallengeFileV2 } from './challenges.ts'
import { ChallengeId, Int32, LinkUrl, TeamId, UnixMs } from './fields.ts'
import { EndpointKind } from './instances.ts'
import { Instant } from './instants.ts'
import { badChallenge } from './replies.ts'
import { organiserRoute, reply } from './route.ts'

// Organisers' routes for challenges: docs/reference/administration.md#challenge-object

/** Far more than any challenge needs; unbounded lists are refused. */
const MOST = { flags: 100, files: 1000, expose: 100, tags: 100, prerequisites: 20 }

export const DEFAULT_FLAG_PROVIDER = 'flags/static'

export const Points = z
  .object({ min: Int32, max: Int32 })
  .refine(({ min, max }) => min <= max, { path: ['min'], error: 'must not be above max' })

const sharedKinds = [z.object({ kind: z.literal('decay') }), z.object({ kind: z.literal('static') })] as const

/** The secret signs pushed scores, so only callers who may write it read it. Others see whether there is one. */
const Scoring = z.discriminatedUnion('kind', [
  ...sharedKinds,
  z.object({
    kind: z.literal('dynamic'),
    source: z.object({
      transport: z.literal('webhook'),
      secret: z.string().optional(),
      secretSet: z.boolean().optional(),
    }),
  }),
])

/** Without a secret, the stored one stays. */
const WrittenScoring = z.discriminatedUnion('kind', [
  ...sharedKinds,
  z.object({
    kind: z.literal('dynamic'),
    source: z
      .object({ transport: z.literal('webhook').default('webhook'), secret: z.string().min(1).optional() })
      .optional(),
  }),
])

const Exposed = z.object({
  kind: EndpointKind,
  hostPrefix: z
    .string()
    .max(63)
    .regex(/^[a-z0-9-]+$/),
  containerName: z.string(),
  containerPort: z.int().min(1).max(65535),
  shouldDisplay: z.boolean().optional().describe('Shown to teams unless it is false.'),
  title: z.string().optional(),
})

/** Instancer settings of a challenge, as entered: the instancer applies its defaults when it uses them. */
export const InstancerConfig = z.object({
  challengeIntegrationId: z.string(),
  instancer: z.string().optional(),
  config: z.record(z.string(), z.unknown()),
  expose: z.array(Exposed),
  timeoutMilliseconds: z.int(),
  extendable: z.boolean().optional(),
})

/** Settings without a lifetime read as 0, so 0 is accepted: what was read can be written back. */
const Lifetime = z
  .int()
  .refine((ms) => ms === 0 || (ms >= 1000 && ms <= DAY_MS), { error: 'must be 1000 to 86400000' })

const instancerFields = {
  challengeIntegrationId: z.string().max(255).optional(),
  instancer: z.string().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  expose: z.array(Exposed).max(MOST.expose).optional(),
  timeoutMilliseconds: Lifetime.optional(),
  extendable: z.boolean().optional(),
}

const InstancerPatch = z.object(instancerFields)

/** Instancer settings in a challenge's folder, where an unknown key is an error. */
export const InstancerSettings = z.strictObject({
  ...instancerFields,
  expose: z.array(z.strictObject(Exposed.shape)).max(MOST.expose).optional(),
})

/** Admin-bot settings of a challenge as stored: the code and the values derived from it. */
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
  tiebreakChoice: z
    .boolean()
    .optional()
    .describe('What someone chose for `tiebreakEligible`; absent: it follows from the points.'),
  sortWeight: z.number().nullable(),
  instancerConfig: InstancerConfig.nullable(),
  adminBotConfig: AdminBotConfig.nullable(),
  hidden: z.boolean(),
  releaseTime: UnixMs.nullable(),
  scoring: Scoring,
  tags: z.array(z.string()),
  waveId: z.string().optional().describe('The wave that decides `releaseTime`.'),
  prerequisites: z
    .array(z.string())
    .optional()
    .describe('A team must have solved these; absent without any.'),
  lockedShown: z.boolean().optional().describe('Whether teams that have not see its name.'),
})

/** Includes the number of all solve rows, those of banned teams too. */
export const AdminChallengeDetail = AdminChallengeV2.extend({ solveCount: z.int() })

/** Bytes of each part whose form is that of a provider, or of an author: more than any challenge needs. */
const MAX_PART_BYTES = 512 * 1024

/**
 * Characters. Descriptions have as many as the text of the home page: every player downloads those of all challenges. Code
 * of an admin bot can include its libraries.
 */
export const challengeLimits = { description: 200_000, botCode: 512 * 1024 }
const TOO_LONG = `has more than ${challengeLimits.description} characters; put the rest into a file`
const TOO_LONG_CODE = `has more than ${challengeLimits.botCode} characters`

const WrittenFileV1 = ChallengeFileV1.extend({ url: LinkUrl })

// The order of the fields matters, because only the first invalid field is reported:
// docs/reference/administration.md#writing-a-challenge
const WrittenTexts = {
  name: z.string().optional(),
  category: z.string().optional(),
  author: z.string().optional(),
  description: z.string().max(challengeLimits.description, { error: TOO_LONG }).optional(),
  flag: z.string().optional(),
}

const WriteV1 = z.object({
  ...WrittenTexts,
  points: Points.optional(),
  tiebreakEligible: z.boolean().optional(),
  files: z.array(WrittenFileV1).max(MOST.files).meta({ 'x-maxBytes': MAX_PART_BYTES }).optional(),
  sortWeight: z.number().optional(),
})

const WrittenFlag = Flag.extend({ provider: z.string().default(DEFAULT_FLAG_PROVIDER) })
const WrittenFile = WrittenFileV1.extend({ size: z.int().min(0).nullable().optional() })

const WriteV2 = z.object({
  ...WrittenTexts,
  flags: z.array(WrittenFlag).max(MOST.flags).meta({ 'x-maxBytes': MAX_PART_BYTES }).optional(),
  points: Points.optional(),
  tiebreakEligible: z.boolean().nullable().optional().describe('Null: follows from the points.'),
  files: z.array(WrittenFile).max(MOST.files).meta({ 'x-maxBytes': MAX_PART_BYTES }).optional(),
  sortWeight: z.number().nullable().optional(),
  hidden: z.boolean().optional(),
  releaseTime: Instant.nullable().optional(),
  instancerConfig: InstancerPatch.meta({ 'x-maxBytes': MAX_PART_BYTES }).nullable().optional(),
  adminBotConfig: z
    .object({ code: z.string().max(challengeLimits.botCode, { error: TOO_LONG_CODE }) })
    .nullable()
    .optional(),
  scoring: WrittenScoring.optional(),
  tags: z.array(z.string()).max(MOST.tags).nullable().optional(),
  waveId: z.string().min(1).max(64).nullable().optional().describe('Null leaves the wave.'),
  prerequisites: z.array(ChallengeId).max(MOST.prerequisites).optional(),
  lockedShown: z.boolean().optional(),
})

const ALL = 'All challenges.'
/** Version 1 uses one kind for lists of challenges and for a single challenge of the admin list. */
export const goodAdminChallengesV1 = reply(200, 'goodChallenges', 'Challenges.', z.array(AdminChallengeV1))
export const goodAdminChallengesV2 = reply(200, 'goodAdminChallenges', ALL, z.array(AdminChallengeV2))
export const goodAdminChallengeV1 = reply(200, 'goodChallenges', 'Challenges.', AdminChallengeV1)
export const goodAdminChallengeV2 = reply(200, 'goodAdminChallenge', 'One challenge.', AdminChallengeDetail)
const SAVED = 'The challenge was saved.'
export const goodChallengeUpdate = reply(200, 'goodChallengeUpdate', SAVED, AdminChallengeV1)
export const goodChallengeUpdateV2 = reply(200, 'goodChallengeUpdateV2', SAVED, AdminChallengeV2)
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

/** Responses contain flags, and the webhook's secret for those who may write it. */
const read = {
  compatible: true,
  method: 'GET',
  auth: 'required',
  perms: ['challsRead'],
  scope: 'challenges:read',
  secret: true,
} as const
const one = { compatible: true, params: z.object({ id: ChallengeId }) } as const

const list = {
  ...read,
  summary: 'Lists all challenges, hidden and unreleased ones too.',
} as const
export const listAdminChallengesV1 = organiserRoute({
  ...list,
  path: '/api/v1/admin/challs',
  replies: [goodAdminChallengesV1],
})
export const listAdminChallengesV2 = organiserRoute({
  ...list,
  path: '/api/v2/admin/challs',
  replies: [goodAdminChallengesV2],
})

const readOne = { ...read, ...one, summary: 'Reads one challenge.' } as const
export const readAdminChallengeV1 = organiserRoute({
  ...readOne,
  path: '/api/v1/admin/challs/:id',
  replies: [goodAdminChallengeV1, badChallenge],
})
export const readAdminChallengeV2 = organiserRoute({
  ...readOne,
  path: '/api/v2/admin/challs/:id',
  replies: [goodAdminChallengeV2, badChallenge],
})

const write = {
  ...one,
  method: 'PUT',
  perms: ['challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'admin',
  summary: 'Changes the fields that are given; makes the challenge when there is none.',
} as const

export const putChallengeV1 = organiserRoute({
  ...write,
  path: '/api/v1/admin/challs/:id',
  body: z.object({ data: WriteV1 }),
  replies: [goodChallengeUpdate],
})
export const putChallengeV2 = organiserRoute({
  ...write,
  path: '/api/v2/admin/challs/:id',
  body: z.object({ data: WriteV2 }),
  replies: [goodChallengeUpdateV2, badInstancerConfig, badAdminBotConfig],
})

export const deleteChallenge = organiserRoute({
  ...one,
  method: 'DELETE',
  path: '/api/v1/admin/challs/:id',
  summary: 'Deletes a challenge with its solves. Deleting it again is no error.',
  perms: ['challsWrite'],
  scope: 'challenges:write',
  replies: [goodChallengeDelete],
})

export const deleteSolve = organiserRoute({
  method: 'DELETE',
  path: '/api/v2/admin/challs/:challengeId/solves/:userId',
  summary: "Takes a team's solve of a challenge back. The team may solve it again.",
  perms: ['challsSolveWrite'],
  scope: 'submissions:write',
  params: z.object({ challengeId: ChallengeId, userId: TeamId }),
  compatible: true,
  replies: [goodChallengeSolveDelete, badUnknownSolve],
})

export const listFlagProviders = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/flags/providers',
  summary: 'Lists the kinds of flags and what each takes.',
  perms: ['challsRead'],
  scope: 'challenges:read',
  replies: [goodFlagProviders],
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
