import { mayUseCaches } from '../../lib/caching.ts'
import { pushedScoreAt } from '../graph/graph.ts'
import type { PastQuery, PastRanks } from '../reads.ts'
import { addScoreRows, scoreRowsOf } from '../score-rows.ts'
import { findSolve } from '../solves.ts'
import { compareTeams } from '../order.ts'
import { ranksAmong } from './ranks.ts'
import { addRow, addSolves, createStandings, resetScores, setMissingTimes } from '../standings.ts'
import { countUntil, isDynamic, maxSolvesOf, pricedOf, valueAt } from '../values.ts'
import type { Entry, PastValues, Standings, State } from '../state.ts'

// Scores and ranks at earlier times, by the current settings (docs/reference/leaderboard.md#trend). Reads the state;
// changes only its caches.

/** A challenge's solves up to some time, and what each of them was worth then. */
interface Worth {
  readonly counted: number
  readonly points: number
}

/** The scores of the teams at each of the times. */
export function scoresAt(state: State, teamIds: readonly string[], past: PastQuery): number[][] {
  const { values } = valuesAt(state, past)
  const { times, sampleMs } = past
  return teamIds.map((id) => {
    const scores = times.map(() => 0)
    const team = state.teams.slots.get(id)
    if (team === undefined || (state.teams.rows[team]?.banned ?? true)) return scores
    for (const entry of state.challenges.sorted) {
      if (!entry.isPublic) continue
      if (isDynamic(entry)) {
        for (const [at, time] of times.entries()) {
          scores[at] = (scores[at] ?? 0) + pushedScoreAt(state, entry, { team, time, sampleMs })
        }
        continue
      }
      const solvedAt = state.solves.at[findSolve(entry, team)]
      if (solvedAt === undefined || solvedAt > state.endTime) continue
      const worth = values.get(entry)
      for (const [at, time] of times.entries()) {
        if (time >= solvedAt) scores[at] = (scores[at] ?? 0) + (worth?.[at] ?? 0)
      }
    }
    for (const row of scoreRowsOf(state, team)) {
      for (const [at, time] of times.entries()) {
        if (time >= row.at) scores[at] = (scores[at] ?? 0) + row.points
      }
    }
    return scores
  })
}

/** The ranks at a time. */
export function ranksAt(
  state: State,
  { times: [time = 0], sampleMs }: PastQuery,
  tracks?: readonly string[],
): PastRanks {
  const past = { ...state, standings: createStandings() }
  resetScores(past.standings, state.teams.rows.length)
  const worths = worthAt(state, time)
  for (const [entry, worth] of worths) addSolves(past, entry, worth)
  for (const entry of state.challenges.sorted) {
    if (entry.isPublic && isDynamic(entry)) addFeed(past, entry, { time, sampleMs })
  }
  for (const team of state.scoreRows.byTeam.keys()) {
    const then = scoreRowsOf(state, team).filter(({ at }) => at <= time)
    addScoreRows(past.standings, team, then)
  }
  rankPast(past, state.standings)
  const ranks = ranksAmong(past, tracks)
  const global = new Map<string, number>()
  const inDivision = new Map<string, number>()
  const scores = new Map<string, number>()
  for (const [at, team] of ranks.order.entries()) {
    const id = state.teams.rows[team]?.id
    if (id === undefined) continue
    global.set(id, at + 1)
    inDivision.set(id, ranks.inDivision[team] as number)
    scores.set(id, past.standings.score[team] as number)
  }
  const values = new Map([...worths].map(([{ row }, { points }]) => [row.id, points]))
  return { global, inDivision, scores, values }
}

/** Most teams were ranked nearly as they are now, and this sort takes linear time for rows that are nearly in order. */
function rankPast(past: State, { order, ranked }: Standings): void {
  const { standings } = past
  const teams: number[] = []
  for (let at = 0; at < ranked; at += 1) {
    const team = order[at] as number
    setMissingTimes(standings, team)
    if (standings.counted[team] !== 0) teams.push(team)
  }
  teams.sort((left, right) => compareTeams(past, left, right))
  standings.order.set(teams)
  standings.ranked = teams.length
}

function valuesAt(state: State, { times }: PastQuery): PastValues {
  const { epoch } = state.standings
  const key = times.join()
  const known = state.graph.past
  if (known?.epoch === epoch && known.key === key && mayUseCaches()) return known
  const values = new Map<Entry, Float64Array>()
  for (const [at, time] of times.entries()) {
    for (const [entry, { points }] of worthAt(state, time)) {
      let own = values.get(entry)
      if (!own) values.set(entry, (own = new Float64Array(times.length)))
      own[at] = points
    }
  }
  const past = { epoch, key, values }
  if (mayUseCaches()) state.graph.past = past
  return past
}

/** Each public challenge with flags. */
function worthAt(state: State, time: number): Map<Entry, Worth> {
  const until = Math.min(time, state.endTime)
  const counts = new Map<Entry, number>()
  for (const entry of state.challenges.sorted) {
    if (entry.isPublic && !isDynamic(entry)) counts.set(entry, countUntil(state, entry, until))
  }
  const maxSolves = maxSolvesOf(state, (entry) => pricedOf(entry, counts.get(entry) ?? 0))
  const worths = new Map<Entry, Worth>()
  for (const [entry, counted] of counts) {
    const priced = pricedOf(entry, counted)
    const firstSolveAt = priced > 0 ? entry.firstSolveAt : null
    const points = valueAt(state, entry, { counted: priced, firstSolveAt, maxSolves })
    worths.set(entry, { counted, points })
  }
  return worths
}

function addFeed(
  state: State,
  entry: Entry,
  { time, sampleMs }: { readonly time: number; readonly sampleMs: number },
): void {
  for (const [team, { scoredAt }] of entry.feed.scores) {
    if (scoredAt > time || (state.teams.rows[team]?.banned ?? true)) continue
    const points = pushedScoreAt(state, entry, { team, time, sampleMs })
    addRow(state.standings, entry, { team, points, at: scoredAt })
  }
}
