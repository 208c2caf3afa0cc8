import { z } from 'zod'
import { ChallengeId, Int32, Page } from './fields.ts'
import { GraphSample } from './leaderboard.ts'
import { badChallenge } from './replies.ts'
import { reply, route } from './route.ts'

// Dynamic challenges: a backend pushes each team's score, and the ranking is public.
// docs/reference/pushed-scores.md

export const ScoreEntry = z.object({
  userId: z.string().describe('A team id. Unknown and banned teams are skipped.'),
  points: Int32.describe(
    'Sets the score, does not add to it; 0 removes it. The last entry of a team counts.',
  ),
})

/** Far more teams than one process serves at its best; a push does not have to name all of them. */
const MAX_PUSHED_SCORES = 50_000
/** A team id, which is a UUID, the points and the names of both. */
const ENTRY_BYTES = 64

export const ScoresPush = z.object({
  scores: z
    .array(ScoreEntry)
    .max(MAX_PUSHED_SCORES)
    .meta({ 'x-maxBytes': MAX_PUSHED_SCORES * ENTRY_BYTES }),
})

/** The numbers of added, changed and removed scores; all 0 for a push that was processed before. */
export const goodDynamicScores = reply(
  200,
  'goodDynamicScores',
  'The scores were applied.',
  z.object({ inserted: z.int(), updated: z.int(), deleted: z.int() }),
)

export const pushScores = route({
  method: 'POST',
  path: '/api/v2/challs/:id/scores',
  summary:
    'Sets what teams have on a dynamic challenge. Signed: `X-SVC-Signature` is `sha256=` and the lower-case hex ' +
    'HMAC-SHA256, keyed with the secret of the challenge, of `<X-SVC-Timestamp>.<raw body>`.',
  auth: 'signature',
  bodyCap: 'webhook',
  params: z.object({ id: ChallengeId }),
  body: ScoresPush,
  limits: ['signIns'],
  compatible: true,
  replies: [goodDynamicScores],
})

/** A team on a dynamic challenge; field names match the rows of solves. */
export const ScoreRow = z.object({
  userId: z.string(),
  userName: z.string(),
  userAvatarUrl: z.string().nullable(),
  userCountryCode: z.string().nullable(),
  userStatusText: z.string().nullable(),
  division: z.string(),
  points: z.int(),
  pointDelta: z
    .int()
    .describe(
      "The team's change in the challenge's latest push that changed any score; 0 if the push did not include the team.",
    ),
  place: z.int().describe('1-based, ordered by points, then by who scored first.'),
  globalPlace: z.int().describe('Rank in the standings of the whole event; 0 for a team that is not ranked.'),
  divisionPlace: z.int(),
})

export const goodChallengeScores = reply(
  200,
  'goodChallengeScores',
  'Scores on the challenge.',
  z.object({
    total: z.int(),
    scores: z.array(ScoreRow),
    graph: z
      .array(z.object({ id: z.string(), name: z.string(), points: z.array(GraphSample) }))
      .describe('The teams of the page, with their points on this challenge alone; samples newest first.'),
    myPlace: z
      .int()
      .nullable()
      .optional()
      .describe('Only for a caller with a valid token; null without a score, and for a banned team.'),
    myPosition: z.int().nullable().optional().describe('The same value under the name that solves use.'),
  }),
)

export const listScores = route({
  method: 'GET',
  path: '/api/v2/challs/:id/scores',
  summary: 'Ranks the teams of a dynamic challenge by their scores there, with a graph of the page.',
  auth: 'optional',
  scope: 'read',
  gate: { started: 'challsRead' },
  shows: ['challenges', 'scoreboard'],
  params: z.object({ id: ChallengeId }),
  query: Page,
  maxima: { limit: 'graphWithListLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodChallengeScores, badChallenge],
})

export const scoreRouteList = [pushScores, listScores] as const
