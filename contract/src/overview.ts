import { z } from 'zod'
import { Int32, queryInteger } from './fields.ts'
import { QueryInstant } from './instants.ts'
import { organiserRoute, reply } from './route.ts'

// The state of the contest for the organisers' dashboard: docs/reference/administration.md#dashboard

/** Problems that the dashboard can report. The site links each to the page that fixes it. */
export const WarningCode = z.enum([
  'mailFailing',
  'mailGivenUp',
  'messagesFailing',
  'messagesGivenUp',
  'workerMissing',
  'standingsStale',
  'redisUnreachable',
  'diskLow',
  'fewOpenFiles',
  'clockDifference',
  'botWithoutWorker',
  'botMissing',
  'instancerUnreachable',
  'instancerMissing',
  'challengeWithoutFlag',
  'pointsReversed',
  'releaseAfterEnd',
  'endBeforeStart',
  'organiserSolves',
  'scoringSecretShared',
  'proxyNotTrusted',
  'oneAddressDominates',
  'registrationSurge',
  'backupLate',
  'backupFailed',
])

export const Warning = z.object({
  code: WarningCode,
  /** One or two plain English sentences. */
  text: z.string(),
  /** When it began, or when this process first saw it. Unix milliseconds, as everywhere here. */
  since: z.int(),
})

/** The others are listed once these were dealt with. */
export const MAX_ORGANISERS_WITH_SOLVES = 50

export const PREVIEW_SOLVES = 500

const Count = z.int().min(0)

export const goodAdminOverview = reply(
  200,
  'goodAdminOverview',
  'How the contest does.',
  z.object({
    now: z.int(),
    /** All kinds and results; the last entry is the current minute. */
    submissionsPerMinute: z.array(Count).length(60),
    /** The number of correct flags among them. */
    correctPerMinute: z.array(Count).length(60),
    /** Solves that count: of public challenges, until the end. */
    solves: Count,
    teams: Count,
    /** Teams that submitted something in the last 15 minutes; at most a few seconds old. */
    activeTeams15m: Count,
    pendingVerifications: Count,
    /** Teams created and registrations started in the last 10 minutes. */
    registrations10m: Count,
    /** Totals of the instancers that can list their instances; null when none can. */
    instances: z.object({ running: Count, starting: Count, errored: Count }).nullable(),
    /** Null without an admin bot; `oldestQueuedMs` is 0 when the queue is empty. */
    adminBot: z.object({ queued: Count, running: Count, oldestQueuedMs: Count }).nullable(),
    outboxPending: Count,
    standingsAgeMs: Count,
    /** Snapshot time of the last good backup; null before the first. Absent if the server makes none. */
    lastBackupAt: z.int().nullable().optional(),
    /** Teams with permissions that have solves or pushed points, by name. Those of banned teams do not count. */
    organisersWithSolves: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .max(MAX_ORGANISERS_WITH_SOLVES),
    /** Newest first; each code at most once. */
    warnings: z.array(Warning),
  }),
)

export const readOverview = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/overview',
  perms: ['challsRead', 'usersWrite'],
  summary: 'Counts, queues and what needs attention, a second old at most.',
  replies: [goodAdminOverview],
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
    /** Pairs of solve count (0 to 500) and points. */
    values: z.array(z.tuple([z.int(), z.int()])).length(PREVIEW_SOLVES + 1),
  }),
)

export const previewScores = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/scores/preview',
  perms: ['challsRead'],
  summary:
    'What a challenge with these bounds would be worth by its solves, as the configured formula has it.',
  query: z.object({
    min: Points,
    max: Points,
    /**
     * For formulas that depend on the most solved challenge: its number of solves. Default: the current
     * value.
     */
    maxSolves: queryInteger(0).pipe(Int32).meta({ type: 'integer', minimum: 0 }).optional(),
    /** For formulas that depend on the first solve: its time. Default: now. */
    firstSolveAt: QueryInstant.optional(),
  }),
  replies: [goodScoresPreview],
})

/** Maximum number of periods that the solves of the event are counted in. */
export const STATISTICS_PERIODS = 96
/** Maximum number of challenges and of categories in the statistics. */
export const STATISTICS_CHALLENGES = 1000

const ChallengeStatistics = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  /** The current value. */
  points: z.int(),
  solves: Count,
  /** Correct flags, including those of teams that were banned later. */
  correct: Count,
  /** Wrong flags. */
  wrong: Count,
})

const CategoryStatistics = z.object({
  category: z.string(),
  challenges: Count,
  /** Sum of the current values. */
  points: z.int(),
  solves: Count,
})

export const goodAdminStatistics = reply(
  200,
  'goodAdminStatistics',
  'What the event looks like so far.',
  z.object({
    now: z.int(),
    /**
     * Solves in consecutive periods from the start to now or the end. Earlier solves, by organisers who test,
     * are in the first period. Empty before the start.
     */
    solves: z.object({
      from: z.int(),
      periodMs: z.int().min(1),
      counts: z.array(Count).max(STATISTICS_PERIODS),
    }),
    /** Public challenges that are solved with flags, in the order of the challenge list. */
    challenges: z.array(ChallengeStatistics).max(STATISTICS_CHALLENGES),
    /** Categories of all public challenges, in the order of their first one. */
    categories: z.array(CategoryStatistics).max(STATISTICS_CHALLENGES),
  }),
)

export const readStatistics = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/statistics',
  perms: ['challsRead', 'usersWrite'],
  summary: 'Solves over the event, right and wrong flags of each challenge, and the balance of categories.',
  replies: [goodAdminStatistics],
})

export const overviewRouteList = [readOverview, readStatistics, previewScores] as const
