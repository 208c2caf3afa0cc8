import { getExtrankLeaderboard, goodExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import {
  getGraphV2,
  getLeaderboardChallenges,
  getLatestSolves,
  getLeaderboardV2,
  getLeaderboardWithGraph,
  getLiveGraph,
  getLiveLeaderboard,
  goodLeaderboardChallenges,
  goodGraphV2,
  goodLatestSolves,
  LATEST_BLOODS,
  LATEST_SOLVES,
  TREND_SCORES,
  goodLeaderboardV2,
  goodLeaderboardWithGraph,
} from '@pennant/contract/leaderboard.ts'
import { on } from '../handler.ts'
import { lineOf, standingsOf, type Standing } from '../standings.ts'
import type { World } from '../world.ts'

interface Wanted {
  readonly limit: number
  readonly offset: number
  readonly division?: string | undefined
  readonly search?: string | undefined
}

function pageOf(world: World, { limit, offset, division, search }: Wanted) {
  const needle = search?.toLowerCase()
  const all = standingsOf(world).ranked.filter(
    ({ team }) =>
      (!division || team.division === division) && (!needle || team.name.toLowerCase().includes(needle)),
  )
  return { total: all.length, rows: all.slice(offset, offset + limit) }
}

function boardRow({ team, score, solves, live, globalPlace, divisionPlace }: Standing) {
  return {
    id: team.id,
    name: team.name,
    score,
    avatarUrl: team.avatarUrl,
    countryCode: team.countryCode,
    statusText: team.statusText,
    solves: solves.map(({ challengeId, createdAt }) => ({ id: challengeId, solveTime: createdAt })),
    dynamicScores: [...live],
    division: team.division,
    divisionPlace: divisionPlace ?? 0,
    globalPlace,
  }
}

function graphOf(world: World, rows: readonly Standing[]) {
  const standings = standingsOf(world)
  return rows.map((row) => ({ id: row.team.id, name: row.team.name, ...lineOf(world, standings, row) }))
}

/** A line that rises to the score, and a movement that differs from row to row. */
function trendOf({ score, globalPlace }: Standing) {
  const change = globalPlace === null ? null : ((globalPlace * 5) % 7) - 3
  return {
    scores: Array.from({ length: TREND_SCORES }, (_, at) => Math.round((score * at) / (TREND_SCORES - 1))),
    globalPlaceChange: change,
    divisionPlaceChange: change,
  }
}

const board = on(getLeaderboardV2, ({ world, query }) => {
  const { total, rows } = pageOf(world, query)
  const leaderboard = rows.map((row) =>
    query.with === undefined ? boardRow(row) : { ...boardRow(row), trend: trendOf(row) },
  )
  return goodLeaderboardV2({ total, leaderboard })
})

const withGraph = on(getLeaderboardWithGraph, ({ world, query }) => {
  const { total, rows } = pageOf(world, query)
  return goodLeaderboardWithGraph({ total, leaderboard: rows.map(boardRow), graph: graphOf(world, rows) })
})

const liveBoard = on(getLiveLeaderboard, ({ world, query }) => {
  const { total, rows } = pageOf(world, query)
  return goodLeaderboardV2({
    total,
    leaderboard: rows.map((row) => ({ ...boardRow(row), trend: trendOf(row) })),
  })
})

const liveGraph = on(getLiveGraph, ({ world, query }) =>
  goodGraphV2({ graph: graphOf(world, pageOf(world, query).rows) }),
)

const graph = on(getGraphV2, ({ world, query }) =>
  goodGraphV2({ graph: graphOf(world, pageOf(world, query).rows) }),
)

const heads = on(getLeaderboardChallenges, ({ world }) => {
  const { solves, points } = standingsOf(world)
  const entries = [...solves].map(([id, list]) => {
    const challenge = world.challenges.get(id)
    const head = {
      name: challenge?.name ?? id,
      category: challenge?.category ?? '',
      solves: list.length,
      points: points.get(id) ?? 0,
      sortWeight: challenge?.sortWeight ?? null,
      scoringKind: challenge?.scoring.kind === 'dynamic' ? ('dynamic' as const) : ('decay' as const),
      firstSolvers: list.slice(0, 3).map(({ teamId }) => ({ id: teamId })),
    }
    return [id, head] as const
  })
  return goodLeaderboardChallenges({ challenges: Object.fromEntries(entries) })
})

const latest = on(getLatestSolves, ({ world }) => {
  const all = [...standingsOf(world).solves.values()].flatMap((list) =>
    list.map((solve, at) => ({ ...solve, bloodIndex: at < 3 ? at : null })),
  )
  const solves = all
    .toSorted((left, right) => right.createdAt - left.createdAt)
    .map(({ id, challengeId, teamId, createdAt, bloodIndex }) => {
      const challenge = world.challenges.get(challengeId)
      const team = world.teams.get(teamId)
      return {
        id,
        challengeId,
        challengeName: challenge?.name ?? '',
        category: challenge?.category ?? '',
        userId: teamId,
        userName: team?.name ?? '',
        userAvatarUrl: team?.avatarUrl ?? null,
        createdAt,
        bloodIndex,
      }
    })
  return goodLatestSolves({
    solves: solves.slice(0, LATEST_SOLVES),
    firstBloods: solves.filter(({ bloodIndex }) => bloodIndex === 0).slice(0, LATEST_BLOODS),
  })
})

const standingsFile = on(getExtrankLeaderboard, ({ world }) =>
  goodExtrankLeaderboard({
    standings: standingsOf(world).ranked.map(({ team, score, globalPlace }) => ({
      pos: globalPlace ?? 0,
      team: team.name,
      score,
    })),
  }),
)

export const leaderboardEndpoints = [
  board,
  withGraph,
  graph,
  heads,
  latest,
  standingsFile,
  liveBoard,
  liveGraph,
]
