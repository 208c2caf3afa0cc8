import { z } from 'zod'
import { BloodIndex, ChallengeId, Page, UnixMs } from './fields.ts'
import { badChallenge } from './replies.ts'
import { reply, route } from './route.ts'
import { assistedMark, trackMark, TrackQuery } from './tracks.ts'

// Challenges and their solves, as participants read them: docs/reference/challenges.md

const Described = {
  id: z.string(),
  name: z.string(),
  description: z.string().describe('Markdown.'),
  category: z.string(),
  author: z.string(),
}

export const ChallengeFileV1 = z.object({
  name: z.string(),
  url: z.string().describe('A path is relative to the site.'),
})
export const ChallengeFileV2 = ChallengeFileV1.extend({ size: z.int().nullable().describe('Bytes.') })

/** An input of an admin-bot job: the pattern may match anywhere, it is not anchored. */
export const BotInput = z.object({ pattern: z.string(), flags: z.string().optional() })

export const ScoringKindName = z
  .enum(['decay', 'dynamic'])
  .describe('`decay`: points fall with the number of solves. `dynamic`: points are pushed.')

export const ChallengeV1 = z.object({
  ...Described,
  files: z.array(ChallengeFileV1),
  points: z.int(),
  solves: z.int(),
  sortWeight: z.number().optional(),
})

export const ChallengeV2 = z.object({
  ...Described,
  files: z.array(ChallengeFileV2),
  points: z.int(),
  solves: z.int(),
  sortWeight: z.number().nullable().describe('Position in lists, lower first; null for the end.'),
  instancerLifetime: z.number().nullable().describe('Milliseconds; null without instances.'),
  instancerExtendable: z.boolean().describe('Whether a team may extend the time of its instance.'),
  instancerStoppable: z.boolean().describe('Whether a team may stop its instance before it expires.'),
  instancerActions: z
    .array(z.string())
    .describe('Further actions on an instance; this server has none. Existing clients read the field.'),
  adminBotInputs: z.record(z.string(), BotInput).nullable().describe('By name; null without an admin bot.'),
  hasFlag: z.boolean().describe('Whether flags can be submitted.'),
  scoringKind: ScoringKindName,
  tags: z.array(z.string()),
  locked: z
    .literal(true)
    .optional()
    .describe('The caller must first solve the challenges in `requires`; texts and files are left out.'),
  requires: z
    .array(z.string())
    .optional()
    .describe('Ids of the prerequisites of a locked challenge that the caller may see.'),
  hints: z.int().optional().describe('How many hints are released; absent without any.'),
  yourScore: z.int().optional().describe('If the caller has solved it.'),
  yourPointDelta: z.int().optional().describe('Change in the latest push.'),
})

export const goodChallengesV1 = reply(200, 'goodChallenges', 'Challenges.', z.array(ChallengeV1))
export const goodChallengesV2 = reply(200, 'goodChallenges', 'Challenges.', z.array(ChallengeV2))

const listChallenges = {
  compatible: true,
  method: 'GET',
  auth: 'optional',
  scope: 'read',
  gate: { started: 'challsRead' },
  shows: ['challenges'],
  limitedTo: ['scoreboard'],
} as const

export const listChallengesV1 = route({
  ...listChallenges,
  path: '/api/v1/challs',
  summary: 'Lists the public challenges.',
  limits: [],
  replies: [goodChallengesV1],
})

export const listChallengesV2 = route({
  ...listChallenges,
  path: '/api/v2/challs',
  summary: "Lists the public challenges, with the caller's own scores when a token is sent.",
  limits: [],
  replies: [goodChallengesV2],
})

export const SolveV1 = z.object({
  id: z.string(),
  createdAt: UnixMs,
  userId: z.string(),
  userName: z.string(),
})

export const SolveV2 = SolveV1.extend({
  userAvatarUrl: z.string().nullable(),
  userCountryCode: z.string().nullable(),
  userStatusText: z.string().nullable(),
  globalPlace: z.int(),
  divisionPlace: z.int(),
  division: z.string(),
  bloodIndex: BloodIndex,
  ...trackMark,
  ...assistedMark,
})

const SOLVES_TEXT = 'Solves of the challenge.'

export const goodSolvesV1 = reply(
  200,
  'goodChallengeSolves',
  SOLVES_TEXT,
  z.object({ solves: z.array(SolveV1) }),
)
export const goodSolvesV2 = reply(
  200,
  'goodChallengeSolves',
  SOLVES_TEXT,
  z.object({
    solves: z.array(SolveV2),
    mySolvePosition: z.int().nullable().optional().describe("The caller's place among the solvers, from 1."),
  }),
)

const listSolves = {
  ...listChallenges,
  shows: ['challenges', 'scoreboard'],
  params: z.object({ id: ChallengeId }),
  query: Page,
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
} as const

export const listSolvesV1 = route({
  ...listSolves,
  path: '/api/v1/challs/:id/solves',
  summary: 'Lists who solved a challenge, oldest first.',
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodSolvesV1, badChallenge],
})

export const listSolvesV2 = route({
  ...listSolves,
  path: '/api/v2/challs/:id/solves',
  query: Page.extend({ track: TrackQuery }),
  summary: "Lists who solved a challenge, oldest first, and the caller's position among them.",
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodSolvesV2, badChallenge],
})

export const challengeRouteList = [listChallengesV1, listChallengesV2, listSolvesV1, listSolvesV2] as const
