import { z } from 'zod'
import { Int32, queryInteger, UnixMs } from './fields.ts'
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
  text: z.string().describe('One or two plain English sentences.'),
  since: UnixMs.describe(
    'When it began, or when this process first saw it. Unix milliseconds, as everywhere here.',
  ),
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
    now: UnixMs,
    submissionsPerMinute: z
      .array(Count)
      .length(60)
      .describe('All kinds and results; the last entry is the current minute.'),
    correctPerMinute: z.array(Count).length(60).describe('The number of correct flags among them.'),
    solves: Count.describe('Solves that count: of public challenges, until the end.'),
    teams: Count,
    activeTeams15m: Count.describe(
      'Teams that submitted something in the last 15 minutes; at most a few seconds old.',
    ),
    pendingVerifications: Count,
    waitingRegistrations: Count.optional().describe(
      'Registrations that organisers decide about, or that wait for a place. Absent without any.',
    ),
    registrations10m: Count.describe('Teams created and registrations started in the last 10 minutes.'),
    instances: z
      .object({ running: Count, starting: Count, errored: Count })
      .nullable()
      .describe('Totals of the instancers that can list their instances; null when none can.'),
    adminBot: z
      .object({ queued: Count, running: Count, oldestQueuedMs: Count })
      .nullable()
      .describe('Null without an admin bot; `oldestQueuedMs` is 0 when the queue is empty.'),
    outboxPending: Count,
    standingsAgeMs: Count,
    lastBackupAt: UnixMs.nullable()
      .optional()
      .describe(
        'Snapshot time of the last good backup; null before the first. Absent if the server makes none.',
      ),
    organisersWithSolves: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .max(MAX_ORGANISERS_WITH_SOLVES)
      .describe(
        'Teams with permissions that have solves or pushed points, by name. Those of banned teams do not count.',
      ),
    warnings: z.array(Warning).describe('Newest first; each code at most once.'),
  }),
)

export const readOverview = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/overview',
  perms: ['challsRead', 'usersWrite'],
  scope: 'organise:read',
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
    provider: z.string().describe('Name of the score provider.'),
    values: z
      .array(z.tuple([z.int(), z.int()]))
      .length(PREVIEW_SOLVES + 1)
      .describe('Pairs of solve count (0 to 500) and points.'),
  }),
)

export const previewScores = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/scores/preview',
  perms: ['challsRead'],
  scope: 'challenges:read',
  summary:
    'What a challenge with these bounds would be worth by its solves, as the configured formula has it.',
  query: z.object({
    min: Points.describe('Fewest points.'),
    max: Points.describe('Points before the first solve.'),
    maxSolves: queryInteger(0)
      .pipe(Int32)
      .meta({ type: 'integer', minimum: 0 })
      .optional()
      .describe(
        'For formulas that depend on the most solved challenge: its number of solves. Default: the current value.',
      ),
    firstSolveAt: QueryInstant.optional().describe(
      'For formulas that depend on the first solve: its time. Default: now.',
    ),
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
  points: z.int().describe('The current value.'),
  solves: Count,
  correct: Count.describe('Correct flags, including those of teams that were banned later.'),
  wrong: Count.describe('Wrong flags.'),
})

const CategoryStatistics = z.object({
  category: z.string(),
  challenges: Count,
  points: z.int().describe('Sum of the current values.'),
  solves: Count,
})

export const goodAdminStatistics = reply(
  200,
  'goodAdminStatistics',
  'What the event looks like so far.',
  z.object({
    now: UnixMs,
    solves: z
      .object({
        from: UnixMs,
        periodMs: z.int().min(1),
        counts: z.array(Count).max(STATISTICS_PERIODS),
      })
      .describe(
        'Solves in consecutive periods from the start to now or the end. Earlier solves, by organisers who test, are in the first period. Empty before the start.',
      ),
    challenges: z
      .array(ChallengeStatistics)
      .max(STATISTICS_CHALLENGES)
      .describe('Public challenges that are solved with flags, in the order of the challenge list.'),
    categories: z
      .array(CategoryStatistics)
      .max(STATISTICS_CHALLENGES)
      .describe('Categories of all public challenges, in the order of their first one.'),
  }),
)

export const readStatistics = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/statistics',
  perms: ['challsRead', 'usersWrite'],
  scope: 'organise:read',
  summary: 'Solves over the event, right and wrong flags of each challenge, and the balance of categories.',
  replies: [goodAdminStatistics],
})

export const overviewRouteList = [readOverview, readStatistics, previewScores] as const
