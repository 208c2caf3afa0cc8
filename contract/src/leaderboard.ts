import { z } from 'zod'
import { ScoringKindName } from './challenges.ts'
import { BloodIndex, ChallengeId, Limit, Page, UnixMs } from './fields.ts'
import { reply, route } from './route.ts'
import { assistedMark, trackMark, TrackQuery } from './tracks.ts'

// The public standings: docs/reference/leaderboard.md#routes

export const BoardRowV1 = z.object({ id: z.string(), name: z.string(), score: z.int() })

/** The most scores in a trend. */
export const TREND_SCORES = 24

/** How a team got where it is. */
export const Trend = z.object({
  scores: z
    .array(z.int())
    .max(TREND_SCORES)
    .describe('Scores at equal steps since the start of the event, oldest first, and the current score.'),
  globalPlaceChange: z
    .int()
    .nullable()
    .describe(
      'Ranks gained in the last hour, negative if lost; null if the team was not ranked an hour ago.',
    ),
  divisionPlaceChange: z.int().nullable(),
})

export const BoardRowV2 = BoardRowV1.extend({
  avatarUrl: z.string().nullable(),
  countryCode: z.string().nullable(),
  statusText: z.string().nullable(),
  solves: z.array(z.object({ id: z.string(), solveTime: UnixMs, ...assistedMark })),
  dynamicScores: z.array(
    z.object({ id: z.string(), points: z.int(), pointDelta: z.int().describe('Change in the latest push.') }),
  ),
  division: z.string(),
  divisionPlace: z.int(),
  globalPlace: z.int().nullable().describe('Null for a team that is not ranked.'),
  ...trackMark,
  trend: Trend.optional().describe('Only if `with=trend` asks for it.'),
})

export const GraphSample = z.object({ time: UnixMs, score: z.int() })

/** Samples are ordered newest first. */
export const GraphTeam = z.object({
  id: z.string(),
  name: z.string(),
  points: z.array(GraphSample),
  dynamicPoints: z.array(GraphSample),
})

export const BoardChallenge = z.object({
  name: z.string(),
  category: z.string(),
  solves: z.int(),
  points: z.int(),
  sortWeight: z.number().nullable(),
  scoringKind: ScoringKindName,
  firstSolvers: z
    .array(z.object({ id: z.string() }))
    .max(3)
    .describe('Team ids, at most three.'),
})

/** The most solves that the list of the latest solves has. */
export const LATEST_SOLVES = 20
/** The most first bloods beside them. */
export const LATEST_BLOODS = 5

/** A counted solve of a public challenge. */
export const LatestSolve = z.object({
  id: z.string(),
  challengeId: z.string(),
  challengeName: z.string(),
  category: z.string(),
  userId: z.string(),
  userName: z.string(),
  userAvatarUrl: z.string().nullable(),
  createdAt: UnixMs,
  bloodIndex: BloodIndex,
  ...trackMark,
  ...assistedMark,
})

/** The handler checks whether it is configured. */
const Division = z.string().max(255).optional().describe('A division id; empty means none.')
const Search = z.string().min(2).max(100).optional().describe('Part of a name.')

const Sample = z.literal('fine').optional().describe('`fine` has more samples.')

const Filter = { division: Division, search: Search, track: TrackQuery }

export const goodLeaderboardV1 = reply(
  200,
  'goodLeaderboard',
  'Standings.',
  z.object({ total: z.int(), leaderboard: z.array(BoardRowV1) }),
)
export const goodLeaderboardV2 = reply(
  200,
  'goodLeaderboard',
  'Standings.',
  z.object({ total: z.int(), leaderboard: z.array(BoardRowV2) }),
)
export const goodLeaderboardWithGraph = reply(
  200,
  'goodLeaderboardWithGraph',
  'Standings and graph.',
  z.object({ total: z.int(), leaderboard: z.array(BoardRowV2), graph: z.array(GraphTeam) }),
)
const Graph = z.object({ graph: z.array(GraphTeam) })
/** Version 1 has one kind for all leaderboard responses. */
export const goodGraphV1 = reply(200, 'goodLeaderboard', 'Standings.', Graph)
export const goodGraphV2 = reply(200, 'goodLeaderboardGraph', 'Score graph.', Graph)
export const goodLeaderboardChallenges = reply(
  200,
  'goodLeaderboardChallenges',
  'Challenge overview.',
  z.object({ challenges: z.record(z.string(), BoardChallenge) }),
)
export const goodLatestSolves = reply(
  200,
  'goodLatestSolves',
  'The latest solves and the latest first bloods, newest first.',
  z.object({
    solves: z.array(LatestSolve).max(LATEST_SOLVES),
    firstBloods: z.array(LatestSolve).max(LATEST_BLOODS),
  }),
)

// The response is the same for everyone; a token only passes the gate.
const board = {
  method: 'GET',
  auth: 'public',
  scope: 'read',
  gate: { started: 'leaderboardRead' },
  shows: ['scoreboard'],
  limitedTo: ['challenges', 'profiles'],
} as const

export const getLeaderboardV1 = route({
  ...board,
  path: '/api/v1/leaderboard/now',
  summary: 'A page of the standings.',
  query: Page.extend({ division: Division }),
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  compatible: true,
  replies: [goodLeaderboardV1],
})

export const getLeaderboardV2 = route({
  ...board,
  path: '/api/v2/leaderboard/now',
  summary: 'A page of the standings, with what each team solved. Search looks in team names.',
  query: Page.extend({ ...Filter, with: z.literal('trend').optional().describe('What to add to each row.') }),
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['leaderboardSearches', 'pageRenders'],
  compatible: true,
  replies: [goodLeaderboardV2],
})

export const getLeaderboardWithGraph = route({
  ...board,
  path: '/api/v2/leaderboard/with-graph',
  summary: 'A page of the standings and the score graph of its teams.',
  query: Page.extend({
    ...Filter,
    challenge: ChallengeId.optional().describe('Only teams that solved it or have points on it.'),
  }),
  maxima: { limit: 'graphWithListLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['leaderboardSearches', 'pageRenders'],
  compatible: true,
  replies: [goodLeaderboardWithGraph],
})

export const getGraphV1 = route({
  ...board,
  path: '/api/v1/leaderboard/graph',
  summary: 'The score graph of the first teams.',
  query: z.object({ limit: Limit, division: Division }),
  maxima: { limit: 'graphMaxTeams' },
  limits: [],
  handlerLimits: ['pageRenders'],
  compatible: true,
  replies: [goodGraphV1],
})

export const getGraphV2 = route({
  ...board,
  path: '/api/v2/leaderboard/graph',
  summary: 'The score graph of a page of the standings.',
  query: Page.extend({ division: Division, sample: Sample, track: TrackQuery }),
  maxima: { limit: 'graphMaxTeams', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  compatible: true,
  replies: [goodGraphV2],
})

export const getLeaderboardChallenges = route({
  ...board,
  path: '/api/v2/leaderboard/challs',
  summary: 'Value, solve count and first solvers of each public challenge.',
  gate: { started: 'challsRead' },
  shows: ['challenges', 'scoreboard'],
  query: z.object({ track: TrackQuery }),
  limits: [],
  handlerLimits: ['pageRenders'],
  compatible: true,
  replies: [goodLeaderboardChallenges],
})

export const getLatestSolves = route({
  ...board,
  path: '/api/v2/leaderboard/solves',
  summary: 'The latest solves of public challenges by teams that are not banned, newest first.',
  gate: { started: 'challsRead' },
  shows: ['challenges', 'scoreboard'],
  query: z.object({ track: TrackQuery }),
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodLatestSolves],
})

const liveBoard = {
  method: 'GET',
  auth: 'required',
  perms: ['leaderboardRead'],
  scope: 'organise:read',
} as const

export const getLiveLeaderboard = route({
  ...liveBoard,
  path: '/api/v2/admin/leaderboard/now',
  summary: 'A page of the standings as they are, also while participants see frozen ones; with trends.',
  query: Page.extend(Filter),
  maxima: { limit: 'maxLimit', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['leaderboardSearches', 'pageRenders'],
  replies: [goodLeaderboardV2],
})

export const getLiveGraph = route({
  ...liveBoard,
  path: '/api/v2/admin/leaderboard/graph',
  summary: 'The score graph of a page of the standings as they are.',
  query: Page.extend({ division: Division, sample: Sample, track: TrackQuery }),
  maxima: { limit: 'graphMaxTeams', offset: 'maxOffset' },
  limits: [],
  handlerLimits: ['pageRenders'],
  replies: [goodGraphV2],
})

export const leaderboardRouteList = [
  getLeaderboardV1,
  getLeaderboardV2,
  getLeaderboardWithGraph,
  getGraphV1,
  getGraphV2,
  getLeaderboardChallenges,
  getLatestSolves,
  getLiveLeaderboard,
  getLiveGraph,
] as const
