import { mayUseCaches } from '../../lib/caching.ts'
import { lastUpTo } from '../columns.ts'
import type { GraphLine, GraphPoint } from '../reads.ts'
import { scoreRowsOf } from '../score-rows.ts'
import { findSolve } from '../solves.ts'
import type { Entry, GraphPlan, State, Steps } from '../state.ts'
import { isDynamic } from '../values.ts'
import { bucketEnd, feedBuckets } from './buckets.ts'
import { maximaOf, stepsOf, tallyOf } from './steps.ts'

// The score graph (docs/reference/scoring.md#score-graph). Reads the state; changes only its caches.

/** Lower bound of the configured bucket length. */
const MIN_SAMPLE_MS = 1000

/** Lines of the given teams that are ranked, in the given order. */
export function graphOf(state: State, teamIds: readonly string[], sampleMs: number): GraphLine[] {
  const plan = planOf(state, Math.max(MIN_SAMPLE_MS, sampleMs))
  const lines: GraphLine[] = []
  for (const id of teamIds) {
    const team = state.teams.slots.get(id)
    if (team === undefined || !state.standings.counted[team]) continue
    let line = mayUseCaches() ? state.graph.lines.get(id) : undefined
    if (!line) {
      line = { teamId: id, ...drawLine(state, plan, team) }
      // A line can be empty, and sizes must be positive.
      if (mayUseCaches())
        state.graph.lines.set(id, line, { size: 1 + line.points.length + line.dynamicPoints.length })
    }
    lines.push(line)
  }
  return lines
}

/** The teams' points on one dynamic challenge, each newest first; empty for teams without events. */
export function graphOfChallenge(
  state: State,
  entry: Entry,
  { teamIds, sampleMs }: { readonly teamIds: readonly string[]; readonly sampleMs: number },
): GraphPoint[][] {
  const lastUpdate = lastUpdateOf(state, entry)
  const { lines } = feedBuckets(entry.feed, Math.max(MIN_SAMPLE_MS, sampleMs), state.endTime)
  return teamIds.map((id) => {
    const team = state.teams.slots.get(id) ?? -1
    const line = lines.get(team)
    const score = entry.feed.scores.get(team)?.points ?? 0
    return line ? pointsOf({ axis: line.ends, lastUpdate }, line.changes, score) : []
  })
}

/** What the team's events on a dynamic challenge add up to, in the buckets that ended by a time. */
export function pushedScoreAt(
  { endTime }: State,
  { feed }: Entry,
  { team, time, sampleMs }: { readonly team: number; readonly time: number; readonly sampleMs: number },
): number {
  const line = feedBuckets(feed, Math.max(MIN_SAMPLE_MS, sampleMs), endTime).lines.get(team)
  let sum = 0
  for (let at = 0; line && at < line.ends.length && (line.ends[at] as number) <= time; at += 1) {
    sum += line.changes[at] as number
  }
  return sum
}

function planOf(state: State, sampleMs: number): GraphPlan {
  const { graph, standings, challenges } = state
  const { epoch } = standings
  const known = mayUseCaches() ? graph.plan : null
  if (known?.epoch === epoch && known.sampleMs === sampleMs) return known
  const maxima = state.rules.score.needs.maxSolves ? maximaOf(state, sampleMs) : null
  const ends = new Set<number>()
  const steps: Steps[] = []
  let lastUpdate = -Infinity
  for (const entry of challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry))
      for (const end of feedBuckets(entry.feed, sampleMs, state.endTime).ends) ends.add(end)
    for (const end of tallyOf(state, entry, sampleMs).times) ends.add(end)
    const own = stepsOf(state, entry, { sampleMs, maxima })
    for (const end of own.times) ends.add(end)
    steps.push(own)
    lastUpdate = Math.max(lastUpdate, lastUpdateOf(state, entry))
  }
  for (const team of state.scoreRows.byTeam.keys()) {
    for (const { at } of scoreRowsOf(state, team)) {
      ends.add(bucketEnd(at, sampleMs, state.endTime))
      lastUpdate = Math.max(lastUpdate, at)
    }
  }
  const axis = Float64Array.from(ends).sort()
  const onAxis = new Map(steps.map((own) => [own, indexesOn(axis, own.times)]))
  const plan = { epoch, sampleMs, axis, onAxis, lastUpdate }
  if (!mayUseCaches()) return plan
  graph.lines.clear()
  graph.plan = plan
  return plan
}

/** Both arguments ascend, and the axis contains every time. */
function indexesOn(axis: Float64Array, times: Float64Array): Int32Array {
  let index = 0
  return Int32Array.from(times, (time) => {
    while ((axis[index] ?? Infinity) < time) index += 1
    return index
  })
}

/**
 * The time of the head points: the latest counted solve, feed event or score row of a team that is not banned. It depends only on
 * the rows, so every process returns the same lines.
 */
function lastUpdateOf({ solves, teams }: State, { counted, feed, solves: list, row }: Entry): number {
  let latest = counted > 0 ? (solves.at[list[counted - 1] as number] as number) : -Infinity
  if (row.scoringKind !== 'dynamic') return latest
  const isBanned = (team: number) => teams.rows[team]?.banned ?? true
  for (const [team, at] of feed.latest) if (at > latest && !isBanned(team)) latest = at
  // Scores whose events were deleted still have their rows.
  for (const [team, { tickAt }] of feed.scores) if (tickAt > latest && !isBanned(team)) latest = tickAt
  return latest
}

function drawLine(state: State, plan: GraphPlan, team: number): Pick<GraphLine, 'points' | 'dynamicPoints'> {
  const changes = new Float64Array(plan.axis.length)
  const dynamicChanges = new Float64Array(plan.axis.length)
  let hasEvents = false
  for (const entry of state.challenges.sorted) {
    if (!entry.isPublic) continue
    if (isDynamic(entry)) {
      if (addEvents(state, { plan, entry, team }, dynamicChanges)) hasEvents = true
    } else addSteps(state, { plan, entry, team }, changes)
  }
  for (const { at, points } of scoreRowsOf(state, team)) {
    add(changes, lastUpTo(plan.axis, bucketEnd(at, plan.sampleMs, state.endTime)), points)
  }
  const score = state.standings.score[team] ?? 0
  if (!hasEvents) return { points: pointsOf(plan, changes, score), dynamicPoints: [] }
  const feedSum = addAll(changes, dynamicChanges)
  return { points: pointsOf(plan, changes, score), dynamicPoints: pointsOf(plan, dynamicChanges, feedSum) }
}

interface LineInput {
  readonly plan: GraphPlan
  readonly entry: Entry
  readonly team: number
}

/** Adds the value of the solve to its bucket, and later changes of that value to theirs. */
function addSteps(state: State, { plan, entry, team }: LineInput, changes: Float64Array): void {
  const slot = findSolve(entry, team)
  const at = state.solves.at[slot]
  if (slot < 0 || at === undefined || at > state.endTime || !entry.steps) return
  const { times, values } = entry.steps
  const indexes = plan.onAxis.get(entry.steps) ?? new Int32Array(0)
  const solvedIn = bucketEnd(at, plan.sampleMs, state.endTime)
  let step = lastUpTo(times, solvedIn)
  let value = values[step] ?? 0
  add(changes, lastUpTo(plan.axis, solvedIn), value)
  for (step += 1; step < times.length; step += 1) {
    const next = values[step] ?? 0
    add(changes, indexes[step] ?? 0, next - value)
    value = next
  }
}

function addEvents(state: State, { plan, entry, team }: LineInput, changes: Float64Array): boolean {
  const line = feedBuckets(entry.feed, plan.sampleMs, state.endTime).lines.get(team)
  for (const [index, end] of line?.ends.entries() ?? []) {
    add(changes, lastUpTo(plan.axis, end), line?.changes[index] ?? 0)
  }
  return line !== undefined
}

/** Adds `more` to `changes`, bucket by bucket. Returns the sum of `more`. */
function addAll(changes: Float64Array, more: Float64Array): number {
  let sum = 0
  for (let index = 0; index < more.length; index += 1) {
    const change = more[index] as number
    changes[index] = (changes[index] as number) + change
    sum += change
  }
  return sum
}

function add(changes: Float64Array, index: number, change: number): void {
  changes[index] = (changes[index] ?? 0) + change
}

/** One point for each bucket in which the score changed, and the head point; newest first. */
function pointsOf(
  { axis, lastUpdate }: { readonly axis: ArrayLike<number>; readonly lastUpdate: number },
  changes: Float64Array | readonly number[],
  score: number,
): GraphPoint[] {
  const points: GraphPoint[] = []
  const head = { time: lastUpdate, score }
  let isHeadIn = false
  let sum = 0
  // Most of a long axis is empty; the overhead of an iterator would exceed all other work.
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index] as number
    if (change === 0) continue
    sum += change
    const time = axis[index] as number
    if (!isHeadIn && time >= lastUpdate) {
      points.push(head)
      isHeadIn = true
      // A bucket that ends at the time of the head has the same score.
      if (time === lastUpdate) continue
    }
    points.push({ time, score: sum })
  }
  if (!isHeadIn) points.push(head)
  return points.toReversed()
}
