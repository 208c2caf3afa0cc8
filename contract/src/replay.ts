import { z } from 'zod'
import { Limit, Page } from './fields.ts'
import { QueryInstant } from './instants.ts'
import { organiserRoute, reply, route } from './route.ts'

// The standings of earlier times: docs/reference/leaderboard.md#earlier-standings

/** Times are rounded down to this, so that many viewers share a response. */
export const REPLAY_STEP_MS = 10_000
/** The most teams that a ceremony reveals one by one. */
export const CEREMONY_TEAMS = 100
/** The most solves of one team in a ceremony; a contest rarely has as many challenges. */
export const CEREMONY_SOLVES = 500

/** A team as it stood at a time. */
export const PastRow = z.object({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  countryCode: z.string().nullable(),
  division: z.string(),
  score: z.int(),
  /** The number of challenges it had solved with flags. */
  solves: z.int(),
  globalPlace: z.int(),
  divisionPlace: z.int(),
})

/** How a team moved in the period of a ceremony. `rank` is that in the requested division, or among all teams. */
export const CeremonyTeam = z.object({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  division: z.string(),
  /** At the beginning of the period; the rank is null if it was not ranked then. */
  before: z.object({ score: z.int(), rank: z.int().nullable() }),
  /** The score at the beginning, with the values that challenges had at the end of the period. */
  base: z.int(),
  after: z.object({ score: z.int(), rank: z.int() }),
  /** Its solves in the period, oldest first, with what they were worth at its end. */
  solves: z
    .array(z.object({ challengeId: z.string(), at: z.int(), points: z.int(), isFirst: z.boolean() }))
    .max(CEREMONY_SOLVES),
})

export const goodLeaderboardAt = reply(
  200,
  'goodLeaderboardAt',
  'Standings of an earlier time.',
  z.object({
    /** The time that is shown, in Unix milliseconds: the requested one, rounded down and within the event. */
    time: z.int(),
    /** The first and the last time that can be shown now. */
    from: z.int(),
    until: z.int(),
    total: z.int(),
    leaderboard: z.array(PastRow),
  }),
)
export const goodCeremony = reply(
  200,
  'goodCeremony',
  'How the standings changed in a period.',
  z.object({
    from: z.int(),
    until: z.int(),
    /** All ranked teams at the end of the period. */
    total: z.int(),
    /** Best first. */
    teams: z.array(CeremonyTeam).max(CEREMONY_TEAMS),
    /** The challenges of the solves. */
    challenges: z.record(z.string(), z.object({ name: z.string(), category: z.string() })),
  }),
)

const Division = z.string().max(255).optional()

export const getLeaderboardAt = route({
  method: 'GET',
  path: '/api/v2/leaderboard/at',
  auth: 'public',
  gate: { started: 'leaderboardRead' },
  summary: 'A page of the standings at an earlier time of the event.',
  query: Page.extend({ time: QueryInstant, division: Division }),
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodLeaderboardAt],
})

export const getCeremony = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/leaderboard/ceremony',
  perms: ['leaderboardRead'],
  summary: 'The first teams at the end of a period: where they stood before it, and what they solved in it.',
  query: z.object({ limit: Limit, from: QueryInstant, until: QueryInstant, division: Division }),
  handlerLimits: ['pageRenders'],
  replies: [goodCeremony],
})

export const replayRouteList = [getLeaderboardAt, getCeremony] as const
