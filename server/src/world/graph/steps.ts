import { mayUseCaches } from '../../lib/caching.ts'
import { lastUpTo } from '../columns.ts'
import type { Entry, State, Steps, Tally } from '../state.ts'
import { pricedOf, valueAt } from '../values.ts'
import { bucketEnd } from './buckets.ts'

/** The number of solves that the value depends on at the end of each bucket with a solve. Cached in the entry. */
export function tallyOf(state: State, entry: Entry, sampleMs: number): Tally {
  if (entry.tally?.sampleMs === sampleMs && mayUseCaches()) return entry.tally
  const times: number[] = []
  const counts: number[] = []
  let end = -Infinity
  for (let index = 0; index < entry.counted; index += 1) {
    const at = state.solves.at[entry.solves[index] as number] as number
    if (at > end) {
      end = bucketEnd(at, sampleMs, state.endTime)
      times.push(end)
      counts.push(0)
    }
    counts[counts.length - 1] = pricedOf(entry, index + 1)
  }
  const tally = { sampleMs, times: Float64Array.from(times), counts: Float64Array.from(counts) }
  if (mayUseCaches()) entry.tally = tally
  return tally
}

/** The maximum number of counted solves of any decay challenge, at the end of each bucket in which it increased. */
export function maximaOf(state: State, sampleMs: number): Tally {
  const most = new Map<number, number>()
  for (const entry of state.challenges.sorted) {
    if (entry.row.scoringKind !== 'decay') continue
    const { times, counts } = tallyOf(state, entry, sampleMs)
    for (const [index, time] of times.entries()) {
      most.set(time, Math.max(most.get(time) ?? 0, counts[index] ?? 0))
    }
  }
  const times: number[] = []
  const counts: number[] = []
  for (const [time, count] of [...most].sort((a, b) => a[0] - b[0])) {
    if (count <= (counts.at(-1) ?? 0)) continue
    times.push(time)
    counts.push(count)
  }
  return { sampleMs, times: Float64Array.from(times), counts: Float64Array.from(counts) }
}

export interface StepQuery {
  readonly sampleMs: number
  /** Null if no value depends on them. */
  readonly maxima: Tally | null
}

/** The values of the challenge from its first solve on. Cached in the entry. */
export function stepsOf(state: State, entry: Entry, { sampleMs, maxima }: StepQuery): Steps {
  if (maxima === null && entry.steps?.sampleMs === sampleMs && mayUseCaches()) return entry.steps
  const own = tallyOf(state, entry, sampleMs)
  const start = own.times[0] ?? Infinity
  const { firstSolveAt } = entry
  const times: number[] = []
  const values: number[] = []
  for (const time of maxima ? mergeTimes(own.times, maxima.times) : own.times) {
    // Before the first solve, the value is part of no score.
    if (time < start) continue
    const counted = own.counts[lastUpTo(own.times, time)] ?? 0
    const maxSolves = maxima?.counts[lastUpTo(maxima.times, time)] ?? 0
    const value = valueAt(state, entry, { counted, firstSolveAt, maxSolves })
    if (value === values.at(-1)) continue
    times.push(time)
    values.push(value)
  }
  const steps = { sampleMs, times: Float64Array.from(times), values: Float64Array.from(values) }
  if (mayUseCaches()) entry.steps = steps
  return steps
}

function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(new Set([...a, ...b])).sort()
}
