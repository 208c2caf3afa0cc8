import { z } from 'zod'
import { Int32, queryInteger } from './fields.ts'
import { badBody, badPerms, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// How the contest does, for the dashboard of organisers. Additions of ours (ruling 24).

/** What may be wrong. The site links each to the page where it is put right. */
export const WarningCode = z.enum([
  'mailFailing',
  'mailGivenUp',
  'messagesFailing',
  'messagesGivenUp',
  'workerAway',
  'standingsStale',
  'redisAway',
  'diskLow',
  'clockDifference',
  'botWithoutWorker',
  'botMissing',
  'instancerAway',
  'instancerMissing',
  'challengeWithoutFlag',
  'pointsReversed',
  'releaseAfterEnd',
  'scoringSecretShared',
])

export const Warning = z.object({
  code: WarningCode,
  /** One or two plain English sentences. */
  text: z.string(),
  /** When it began, or when this process first saw it. Unix milliseconds, as all instants here. */
  since: z.int(),
})

export const previewSolves = 500

const Count = z.int().min(0)

export const goodAdminOverview = reply(
  200,
  'goodAdminOverview',
  'How the contest does.',
  z.object({
    now: z.int(),
    /** Of every kind and result; the last is the minute under way. */
    submissionsPerMinute: z.array(Count).length(60),
    /** Of these the flags that were right. */
    correctPerMinute: z.array(Count).length(60),
    /** Those that count: of public challenges, until the end. */
    solves: Count,
    teams: Count,
    /** Teams that submitted something in the last 15 minutes; some seconds old at most. */
    activeTeams15m: Count,
    pendingVerifications: Count,
    /** Of the instancers that can list theirs; null when none can. */
    instances: z.object({ running: Count, starting: Count, errored: Count }).nullable(),
    /** Null without an admin bot; `oldestQueuedMs` is 0 when nothing waits. */
    adminBot: z.object({ queued: Count, running: Count, oldestQueuedMs: Count }).nullable(),
    outboxPending: Count,
    standingsAgeMs: Count,
    /** Newest first, each code once. */
    warnings: z.array(Warning),
  }),
)

export const readOverview = route({
  method: 'GET',
  path: '/api/v2/admin/overview',
  auth: 'required',
  perms: ['challsRead', 'usersWrite'],
  summary: 'Counts, queues and what needs attention, a second old at most.',
  replies: [goodAdminOverview, badToken, badPerms],
})

const Points = queryInteger(-2147483648)
  .pipe(Int32)
  .meta({ type: 'integer', minimum: -2147483648, maximum: 2147483647 })

export const goodScoresPreview = reply(
  200,
  'goodScoresPreview',
  'What a challenge would be worth.',
  z.object({
    /** Name of the score provider. */
    provider: z.string(),
    /** Pairs of solves, from none to 500, and points. */
    values: z.array(z.tuple([z.int(), z.int()])).length(previewSolves + 1),
  }),
)

export const previewScores = route({
  method: 'GET',
  path: '/api/v2/admin/scores/preview',
  auth: 'required',
  perms: ['challsRead'],
  summary:
    'What a challenge with these bounds would be worth by its solves, as the configured formula has it.',
  query: z.object({
    min: Points,
    max: Points,
    /** For formulas that look at the most solved challenge: its solves. As it is now unless given. */
    maxSolves: queryInteger(0).pipe(Int32).meta({ type: 'integer', minimum: 0 }).optional(),
    /** For formulas that look at the first solve: its instant. Now unless given. */
    firstSolveAt: queryInteger(0).optional(),
  }),
  replies: [goodScoresPreview, badBody, badToken, badPerms],
})

export const overviewRouteList = [readOverview, previewScores] as const
