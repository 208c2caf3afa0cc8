import type { ChallengeRow, SolveRow, WorldRows, WorldRules } from '../src/world/model.ts'
import type { GraphPoint } from '../src/world/reads.ts'
import { adjustmentRows, type AdjustmentRow } from '../src/features/contest/adjustments/rows.ts'

// A deliberately simple and slow implementation of docs/reference/scoring.md, with which the world must agree.

export interface Oracle {
  /** Ranked teams with their scores, in ranking order: of the main standings. */
  readonly board: readonly { readonly id: string; readonly score: number }[]
  /** The same among the teams of these tracks. */
  boardOf(tracks: readonly string[]): readonly { readonly id: string; readonly score: number }[]
  /** The teams with first bloods on a challenge. */
  bloods(challengeId: string): readonly string[]
  readonly values: Readonly<Record<string, number>>
  readonly counts: Readonly<Record<string, number>>
  graph(teamId: string, sampleMs: number): { points: GraphPoint[]; dynamicPoints: GraphPoint[] }
}

/** One row that counts toward the score: a flag solve, a feed score or an adjustment. */
interface Counted {
  /** Null for an adjustment. */
  readonly challenge: ChallengeRow | null
  readonly teamId: string
  readonly at: number
  readonly points: number | null
}

export function expectedWorld(rules: WorldRules, rows: WorldRows, now: number): Oracle {
  const startTime = rows.settings.startTime ?? rules.startTime
  const endTime = rows.settings.endTime ?? rules.endTime
  const teams = rows.teams.filter(({ banned }) => !banned)
  const tracks = rows.settings.tracks ?? []
  const trackOf = (teamId: string) => {
    const declared = rows.teams.find(({ id }) => id === teamId)?.track
    return tracks.find(({ id }) => id === declared) ?? tracks[0]
  }
  const isIn = new Set(teams.map(({ id }) => id))
  const open = rows.challenges.filter(
    ({ hidden, releaseAt }) => !hidden && (releaseAt === null || releaseAt <= now),
  )
  const byId = new Map(open.map((row) => [row.id, row]))
  const solves = rows.solves.filter(
    (row) =>
      isIn.has(row.teamId) &&
      row.createdAt <= endTime &&
      byId.has(row.challengeId) &&
      byId.get(row.challengeId)?.scoringKind !== 'dynamic',
  )
  const isLive = (row: { teamId: string; challengeId: string }) =>
    isIn.has(row.teamId) && byId.get(row.challengeId)?.scoringKind === 'dynamic'
  const feed = rows.feed.filter(isLive)
  const events = rows.feedEvents.filter(isLive)

  function valuesBy(some: readonly SolveRow[]): Record<string, number> {
    const of = (id: string) =>
      some.filter((row) => row.challengeId === id && (trackOf(row.teamId)?.affectsPoints ?? true))
    const decay = open.filter(({ scoringKind }) => scoringKind === 'decay')
    const maxSolves = Math.max(0, ...decay.map(({ id }) => of(id).length))
    const value = (row: ChallengeRow) => {
      if (row.scoringKind === 'dynamic') return 0
      if (row.scoringKind === 'static') return row.pointsMax
      const times = of(row.id).map(({ createdAt }) => createdAt)
      const firstSolveAt = times.length === 0 ? null : Math.min(...times)
      const { pointsMin: min, pointsMax: max } = row
      return rules.score.value({
        min,
        max,
        solves: times.length,
        maxSolves,
        startTime,
        endTime,
        firstSolveAt,
      })
    }
    return Object.fromEntries(open.map((row) => [row.id, value(row)]))
  }

  const values = valuesBy(solves)
  const counted = [
    ...solves.map((row) => ({ ...row, at: row.createdAt, points: null })),
    ...feed.map((row) => ({ ...row, at: row.scoredAt })),
  ].flatMap<Counted>(({ challengeId, teamId, at, points }) => {
    const challenge = byId.get(challengeId)
    return challenge ? [{ challenge, teamId, at, points }] : []
  })
  const given = rows.rows?.find(({ of }) => of === adjustmentRows)?.rows as AdjustmentRow[] | undefined
  const adjustments = (given ?? []).filter(({ teamId }) => isIn.has(teamId))
  const adjusted = adjustments.map((row): Counted => ({ ...row, challenge: null }))
  const latest = (list: readonly Counted[]) =>
    list.length === 0 ? Number.MAX_SAFE_INTEGER : Math.max(...list.map(({ at }) => at))
  const board = teams
    .map((team) => {
      const parts = [...counted, ...adjusted].filter(({ teamId }) => teamId === team.id)
      // A deduction is no result, so it neither ranks a team nor decides ties.
      const own = parts.filter(({ challenge, points }) => challenge || (points ?? 0) > 0)
      return {
        id: team.id,
        score: parts.reduce(
          (sum, { points, challenge }) => sum + (points ?? values[challenge?.id ?? ''] ?? 0),
          0,
        ),
        lastTie: latest(own.filter(({ challenge }) => challenge?.tiebreakEligible ?? true)),
        last: latest(own),
        createdAt: team.createdAt,
        rows: own.length,
      }
    })
    .filter(({ rows: count }) => count > 0)
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.lastTie - b.lastTie ||
        a.last - b.last ||
        a.createdAt - b.createdAt ||
        (a.id < b.id ? -1 : 1),
    )

  const shown = (has: (teamId: string) => boolean) =>
    board.filter(({ id }) => has(id)).map(({ id, score }) => ({ id, score }))

  return {
    board: shown((id) => trackOf(id)?.isRanked ?? true),
    boardOf: (ids) => shown((id) => ids.includes(trackOf(id)?.id ?? '')),
    bloods: (challengeId) =>
      rows.solves
        .filter((row) => row.challengeId === challengeId && isIn.has(row.teamId))
        .filter(({ teamId }) => trackOf(teamId)?.takesBloods ?? true)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .slice(0, 3)
        .map(({ teamId }) => teamId),
    values: Object.fromEntries(rows.challenges.map(({ id }) => [id, values[id] ?? 0])),
    counts: Object.fromEntries(
      rows.challenges.map(({ id }) => [
        id,
        [...solves, ...feed].filter(({ challengeId }) => challengeId === id).length,
      ]),
    ),

    graph(teamId, sampleMs) {
      const end = (at: number) => {
        const bound = Math.ceil(at / sampleMs) * sampleMs
        return at <= endTime ? Math.min(bound, endTime) : bound
      }
      const moments = [
        ...solves.map(({ createdAt }) => createdAt),
        ...[...events, ...adjusted].map(({ at }) => at),
      ]
      const ends = moments.map(end)
      const lastUpdate = Math.max(...moments, ...feed.map(({ tickAt }) => tickAt))
      const feedAt = (time: number) =>
        events
          .filter((event) => event.teamId === teamId && end(event.at) <= time)
          .reduce((sum, { delta }) => sum + delta, 0)
      const scoreAt = (time: number) => {
        const then = solves.filter(({ createdAt }) => end(createdAt) <= time)
        const price = valuesBy(then)
        const extra = adjustments
          .filter((row) => row.teamId === teamId && end(row.at) <= time)
          .reduce((sum, { points }) => sum + points, feedAt(time))
        return then
          .filter((row) => row.teamId === teamId)
          .reduce((sum, { challengeId }) => sum + (price[challengeId] ?? 0), extra)
      }
      const line = (at: (time: number) => number, score: number) => {
        const points: GraphPoint[] = []
        let before = 0
        for (const time of [...new Set(ends)].sort((a, b) => a - b)) {
          const value = at(time)
          if (value !== before && time !== lastUpdate) points.push({ time, score: value })
          before = value
        }
        return [...points, { time: lastUpdate, score }].sort((a, b) => b.time - a.time)
      }
      const hasEvents = events.some((event) => event.teamId === teamId)
      return {
        points: line(scoreAt, board.find(({ id }) => id === teamId)?.score ?? 0),
        dynamicPoints: hasEvents ? line(feedAt, feedAt(Infinity)) : [],
      }
    },
  }
}
