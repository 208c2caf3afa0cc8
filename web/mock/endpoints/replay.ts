import {
  getCeremony,
  getLeaderboardAt,
  goodCeremony,
  goodLeaderboardAt,
  REPLAY_STEP_MS,
} from '@pennant/contract/replay.ts'
import { on } from '../handler.ts'
import { standingsOf, type Standing } from '../standings.ts'
import type { World } from '../world.ts'

interface Then {
  readonly row: Standing
  readonly solves: Standing['solves']
  readonly score: number
  readonly globalPlace: number
  readonly divisionPlace: number
}

/** The standings of a time, with the values that challenges have now. */
function standingsAt(world: World, time: number, division: string | undefined): Then[] {
  const { ranked, points } = standingsOf(world)
  const rows = ranked
    .map((row) => {
      const solves = row.solves.filter(({ createdAt }) => createdAt <= time)
      return {
        row,
        solves,
        score: solves.reduce((sum, { challengeId }) => sum + (points.get(challengeId) ?? 0), 0),
      }
    })
    .filter(({ solves }) => solves.length > 0)
    .toSorted((left, right) => right.score - left.score)
  const places = new Map<string, number>()
  return rows
    .map((each, at) => {
      const place = (places.get(each.row.team.division) ?? 0) + 1
      places.set(each.row.team.division, place)
      return { ...each, globalPlace: at + 1, divisionPlace: place }
    })
    .filter(({ row }) => !division || row.team.division === division)
}

function periodOf({ startTime, endTime, now }: World) {
  return { from: startTime, until: Math.max(startTime, Math.min(now(), endTime)) }
}

function within(time: number, { from, until }: ReturnType<typeof periodOf>): number {
  if (time >= until) return until
  return Math.max(from, Math.floor(time / REPLAY_STEP_MS) * REPLAY_STEP_MS)
}

const at = on(getLeaderboardAt, ({ world, query }) => {
  const period = periodOf(world)
  const time = within(query.time, period)
  const rows = standingsAt(world, time, query.division)
  return goodLeaderboardAt({
    time,
    ...period,
    total: rows.length,
    leaderboard: rows.slice(query.offset, query.offset + query.limit).map(({ row, solves, ...then }) => ({
      id: row.team.id,
      name: row.team.name,
      avatarUrl: row.team.avatarUrl,
      countryCode: row.team.countryCode,
      division: row.team.division,
      solves: solves.length,
      ...then,
    })),
  })
})

const ceremony = on(getCeremony, ({ world, query }) => {
  const period = periodOf(world)
  const [from, until] = [within(query.from, period), within(query.until, period)]
  const { points } = standingsOf(world)
  const before = standingsAt(world, from, query.division)
  const after = standingsAt(world, until, query.division)
  const teams = after.slice(0, query.limit).map(({ row, score, solves }, index) => {
    const known = before.findIndex((each) => each.row === row)
    const start = before[known]?.score ?? 0
    return {
      id: row.team.id,
      name: row.team.name,
      avatarUrl: row.team.avatarUrl,
      division: row.team.division,
      before: { score: start, rank: known < 0 ? null : known + 1 },
      base: start,
      after: { score, rank: index + 1 },
      solves: solves
        .filter(({ createdAt }) => createdAt > from)
        .map(({ challengeId, createdAt }) => ({
          challengeId,
          at: createdAt,
          points: points.get(challengeId) ?? 0,
          isFirst: false,
        })),
    }
  })
  const challenges = Object.fromEntries(
    [...world.challenges.values()].map(({ id, name, category }) => [id, { name, category }]),
  )
  return goodCeremony({ from, until, total: after.length, teams, challenges })
})

export const replayEndpoints = [at, ceremony]
