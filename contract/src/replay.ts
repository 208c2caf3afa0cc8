import { z } from 'zod'
import { Limit, Page, UnixMs } from './fields.ts'
import { QueryInstant } from './instants.ts'
import { organiserRoute, reply, route } from './route.ts'
import { assistedMark, trackMark, TrackQuery } from './tracks.ts'

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
  solves: z.int().describe('The number of challenges it had solved with flags.'),
  globalPlace: z.int(),
  divisionPlace: z.int(),
  ...trackMark,
})

/** How a team moved in the period of a ceremony. `rank` is that in the requested division, or among all teams. */
export const CeremonyTeam = z.object({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  division: z.string(),
  ...trackMark,
  before: z
    .object({ score: z.int(), rank: z.int().nullable() })
    .describe('At the beginning of the period; the rank is null if it was not ranked then.'),
  base: z
    .int()
    .describe('The score at the beginning, with the values that challenges had at the end of the period.'),
  after: z.object({ score: z.int(), rank: z.int() }),
  solves: z
    .array(
      z.object({
        challengeId: z.string(),
        at: UnixMs,
        points: z.int(),
        isFirst: z.boolean(),
        ...assistedMark,
      }),
    )
    .max(CEREMONY_SOLVES)
    .describe('Its solves in the period, oldest first, with what they were worth at its end.'),
})

export const goodLeaderboardAt = reply(
  200,
  'goodLeaderboardAt',
  'Standings of an earlier time.',
  z.object({
    time: UnixMs.describe(
      'The time that is shown, in Unix milliseconds: the requested one, rounded down and within the event.',
    ),
    from: UnixMs.describe('The first and the last time that can be shown now.'),
    until: UnixMs,
    total: z.int(),
    leaderboard: z.array(PastRow),
  }),
)
export const goodCeremony = reply(
  200,
  'goodCeremony',
  'How the standings changed in a period.',
  z.object({
    from: UnixMs,
    until: UnixMs,
    total: z.int().describe('All ranked teams at the end of the period.'),
    teams: z.array(CeremonyTeam).max(CEREMONY_TEAMS).describe('Best first.'),
    challenges: z
      .record(z.string(), z.object({ name: z.string(), category: z.string() }))
      .describe('The challenges of the solves.'),
  }),
)

const Division = z.string().max(255).optional().describe('A division id; empty means none.')

export const getLeaderboardAt = route({
  method: 'GET',
  path: '/api/v2/leaderboard/at',
  auth: 'public',
  scope: 'read',
  gate: { started: 'leaderboardRead' },
  shows: ['scoreboard'],
  limitedTo: ['challenges', 'profiles'],
  summary: 'A page of the standings at an earlier time of the event.',
  query: Page.extend({ time: QueryInstant, division: Division, track: TrackQuery }),
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodLeaderboardAt],
})

export const getCeremony = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/leaderboard/ceremony',
  perms: ['leaderboardRead'],
  scope: 'organise:read',
  summary: 'The first teams at the end of a period: where they stood before it, and what they solved in it.',
  query: z.object({
    limit: Limit,
    from: QueryInstant,
    until: QueryInstant,
    division: Division,
    track: TrackQuery,
  }),
  handlerLimits: ['pageRenders'],
  replies: [goodCeremony],
})

export const replayRouteList = [getLeaderboardAt, getCeremony] as const
