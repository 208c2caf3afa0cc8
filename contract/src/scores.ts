import { z } from 'zod'
import { ChallengeId, Int32, Page } from './fields.ts'
import { GraphSample } from './leaderboard.ts'
import { badBody, badChallenge, badJson, badNotStarted, badSignature } from './replies.ts'
import { reply, route } from './route.ts'

// Dynamic challenges: their backends push what each team has there (contract, participant 12), and anyone reads it.

export const ScoreEntry = z.object({
  /** A team id. Unknown and banned teams are passed over. */
  userId: z.string(),
  /** Set, not added; 0 takes the score away. Of several for one team the last counts. */
  points: Int32,
})

export const ScoresPush = z.object({ scores: z.array(ScoreEntry) })

/** How many scores came, changed and went. A push that was taken before counts nothing. */
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
  replies: [goodDynamicScores, badSignature, badJson, badBody],
})

/** A team on a dynamic challenge; its names as in the rows of solves. */
export const ScoreRow = z.object({
  userId: z.string(),
  userName: z.string(),
  userAvatarUrl: z.string().nullable(),
  userCountryCode: z.string().nullable(),
  userStatusText: z.string().nullable(),
  division: z.string(),
  points: z.int(),
  /** The team's change in the challenge's latest push that moved anyone; 0 when it was not in it. */
  pointDelta: z.int(),
  /** From 1: by points, then by who first had any. */
  place: z.int(),
})

export const goodChallengeScores = reply(
  200,
  'goodChallengeScores',
  'Scores on the challenge.',
  z.object({
    total: z.int(),
    scores: z.array(ScoreRow),
    /** The teams of the page, with their points on this challenge alone, newest first. */
    graph: z.array(z.object({ id: z.string(), name: z.string(), points: z.array(GraphSample) })),
    /** Only for a caller with a valid token; null without a score, and for a banned team. */
    myPlace: z.int().nullable().optional(),
  }),
)

export const listScores = route({
  method: 'GET',
  path: '/api/v2/challs/:id/scores',
  summary: 'Ranks the teams of a dynamic challenge by their scores there, with a graph of the page.',
  auth: 'optional',
  gate: { started: 'challsRead' },
  params: z.object({ id: ChallengeId }),
  query: Page,
  maxima: { limit: 'graphWithListLimit', offset: 'maxOffset' },
  replies: [goodChallengeScores, badChallenge, badNotStarted],
})

export const scoreRouteList = [pushScores, listScores] as const
