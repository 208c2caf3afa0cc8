import { z } from 'zod'
import { ChallengeId, UnixMs } from './fields.ts'
import { AdminPage } from './filters.ts'
import { reply, route } from './route.ts'

// The event in figures, for organisers during it and for everyone after it: docs/reference/statistics.md

/** Maximum number of periods that the event is divided into. */
export const STATISTICS_PERIODS = 96
/** Maximum number of challenges, and of rows by category, country or division. */
export const STATISTICS_ROWS = 1000
/** The most common wrong flags that are listed of one challenge. */
export const WRONG_FLAGS = 20
/** Longer wrong flags are not listed. */
export const WRONG_FLAG_LENGTH = 200
/** Solves from which on a team has solved many. */
export const MANY_SOLVES = 5

const Count = z.int().min(0)
const perPeriod = z.array(Count).max(STATISTICS_PERIODS)

const challenge = {
  id: z.string(),
  name: z.string(),
  category: z.string(),
  initialPoints: z.int().describe('The value before the first solve, and now.'),
  points: z.int(),
  solves: Count,
  share: z.number().min(0).max(1).describe('Of the active teams, 0 to 1.'),
  openedAt: UnixMs.describe('When it could be solved first, in Unix milliseconds: its release or the start.'),
  firstSolve: z
    .object({
      at: UnixMs,
      afterMs: Count.describe('After `openedAt`; 0 for a solve before it.'),
      teamId: z.string(),
      teamName: z.string(),
    })
    .nullable()
    .describe('Null without a solve.'),
  medianMs: Count.nullable().describe(
    'Half of its solves came within this time after `openedAt`. Null without a solve.',
  ),
  shift: z
    .object({ bySolves: z.int(), byFirstSolve: z.int() })
    .describe(
      'Ranks in its category between what was expected (initial points, then the order of the list) and what happened. Positive: harder than expected; 0: as expected.',
    ),
}

export const ChallengeFigures = z.object(challenge)
/** `correct` and `wrong`: flags that were submitted. */
export const AdminChallengeFigures = z.object({ ...challenge, correct: Count, wrong: Count })

/** What the scoreboard shows of a group of teams as well. */
const PublicGroup = {
  teams: Count.describe('Teams that are not banned.'),
  solvers: Count.describe('Those that solved something.'),
  solves: Count,
}

/** In a group of one team, these would be its wrong flags, which are no one else's business. */
const Group = {
  ...PublicGroup,
  active: Count.describe('Teams that submitted or solved something.'),
  submissions: Count,
}

/** Teams by the country in the profile (null: none) and by division, most active first. */
function groupsOf<Shape extends z.ZodRawShape>(group: Shape) {
  return {
    countries: z.array(z.object({ countryCode: z.string().nullable(), ...group })).max(STATISTICS_ROWS),
    divisions: z.array(z.object({ division: z.string(), ...group })).max(STATISTICS_ROWS),
  }
}

const figures = {
  computedAt: UnixMs.describe('When this was computed. Times are Unix milliseconds.'),
  from: UnixMs.describe('The part of the event that is counted.'),
  until: UnixMs,
  total: z.object(Group),
  overTime: z
    .object({
      periodMs: z.int().min(1),
      solves: perPeriod,
      submissions: perPeriod,
      teams: perPeriod,
    })
    .describe('`teams`: those that submitted something in the period. Empty before the start.'),
  categories: z
    .array(
      z.object({
        category: z.string(),
        challenges: Count,
        initialPoints: z.int().describe('Sums of the initial and the current values.'),
        points: z.int(),
        solves: Count,
        solvers: Count.describe('Teams that solved at least one.'),
        share: z.number().min(0).max(1).describe('Solves of all that the active teams could have, 0 to 1.'),
      }),
    )
    .max(STATISTICS_ROWS),
  hours: z
    .array(z.object({ solves: Count, submissions: Count, teams: Count }))
    .length(24)
    .describe('By hour of the day in UTC, from 0.'),
  funnel: z
    .object({
      registered: Count,
      active: Count,
      solvedOne: Count,
      solvedMany: Count.describe('At least 5.'),
      solvedHalf: Count.describe('At least half of the challenges.'),
      solvedAll: Count,
    })
    .describe('Teams that came so far.'),
  retention: z
    .object({
      earlyMs: z.int().min(1),
      early: Count,
      periodMs: z.int().min(1).describe('A multiple of the period of `overTime`.'),
      returning: perPeriod,
      others: perPeriod,
    })
    .describe(
      'Teams that submitted something in the first `earlyMs`, and in each later period they and the others that did.',
    ),
}

export const Statistics = z.object({
  ...figures,
  ...groupsOf(PublicGroup),
  challenges: z.array(ChallengeFigures).max(STATISTICS_ROWS),
})
export const AdminStatistics = z.object({
  ...figures,
  ...groupsOf(Group),
  challenges: z.array(AdminChallengeFigures).max(STATISTICS_ROWS),
})

export const WrongFlag = z.object({
  challengeId: z.string(),
  challengeName: z.string(),
  challengeCategory: z.string(),
  flag: z.string().nullable().describe("Null if it is right for another challenge, or another team's."),
  submissions: Count,
  teams: Count,
  firstAt: UnixMs,
  lastAt: UnixMs,
})

export const StatisticsTable = z.enum([
  'over-time',
  'challenges',
  'categories',
  'hours',
  'countries',
  'divisions',
  'funnel',
  'retention',
])
export const AdminStatisticsTable = z.enum([...StatisticsTable.options, 'wrong-flags'])

export const goodStatistics = reply(200, 'goodStatistics', 'The event in figures.', Statistics)
export const goodEventStatistics = reply(200, 'goodEventStatistics', 'The event in figures.', AdminStatistics)
export const goodWrongFlags = reply(
  200,
  'goodWrongFlags',
  'Wrong flags.',
  z.object({ total: z.int(), flags: z.array(WrongFlag) }),
)
export const goodStatisticsFile = reply(200, 'goodStatisticsFile', 'The event in figures.')
export const badStatistics = reply(404, 'badStatistics', 'The statistics are not public.')

const CSV = 'text/csv; charset=utf-8'

const open = {
  method: 'GET',
  path: '/api/v2/statistics',
  auth: 'public',
  scope: 'read',
  shows: ['statistics'],
  limitedTo: ['challenges', 'scoreboard'],
  limits: ['publicReads'],
} as const

export const readPublicStatistics = route({
  ...open,
  summary: 'The event in figures, after its end, if organisers made them public.',
  replies: [goodStatistics, badStatistics],
})

export const downloadPublicStatistics = route({
  ...open,
  path: '/api/v2/statistics/tables/:table',
  params: z.object({ table: StatisticsTable }),
  summary: 'A table of the public statistics as CSV.',
  file: CSV,
  replies: [goodStatisticsFile, badStatistics],
})

const admin = {
  method: 'GET',
  path: '/api/v2/admin/statistics/event',
  auth: 'required',
  // What the submission audit needs, which has all of this one by one.
  perms: ['challsRead', 'usersWrite'],
  scope: 'organise:read',
  limits: ['organiserCalls'],
} as const

export const readEventStatistics = route({
  ...admin,
  summary: 'The event so far in figures.',
  replies: [goodEventStatistics],
})

export const listWrongFlags = route({
  ...admin,
  path: '/api/v2/admin/statistics/wrong-flags',
  summary: 'The most common wrong flag of each challenge, or the most common ones of one challenge.',
  query: AdminPage.extend({ challenge: ChallengeId.optional().describe('Only flags of this challenge.') }),
  replies: [goodWrongFlags],
})

export const downloadEventStatistics = route({
  ...admin,
  path: '/api/v2/admin/statistics/tables/:table',
  params: z.object({ table: AdminStatisticsTable }),
  summary: 'A table of the statistics as CSV.',
  file: CSV,
  secret: true,
  replies: [goodStatisticsFile],
})

export const statisticsRouteList = [
  readPublicStatistics,
  downloadPublicStatistics,
  readEventStatistics,
  listWrongFlags,
  downloadEventStatistics,
] as const
