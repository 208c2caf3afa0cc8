import type { Memory } from './memory.ts'
import type { Played } from './players.ts'

export type Window = Played & Memory

/** Solves and submissions of the event stay in memory, and V8 takes its time. */
const MORE_HEAP = { factor: 1.25, mib: 24 }
const MORE_RESIDENT = { factor: 1.35, mib: 64 }
/** A shared machine varies by half. */
const MORE_P99 = { factor: 2, ms: 10 }

/** What is worse in the last third than in the second quarter; the first windows are the warm-up. */
export function findGrowth(windows: readonly Window[], { latency }: { readonly latency: boolean }): string[] {
  const quarter = Math.ceil(windows.length / 4)
  const early = windows.slice(quarter, quarter * 2)
  const late = windows.slice(-Math.ceil(windows.length / 3))
  const problems: string[] = []
  const compare = (name: string, read: (window: Window) => number, most: (before: number) => number) => {
    const [before, after] = [medianOf(early.map(read)), medianOf(late.map(read))]
    if (!(after <= most(before)))
      problems.push(`${name}: ${before.toFixed(1)} early, ${after.toFixed(1)} late`)
  }
  compare(
    'MiB of heap',
    ({ heapMib }) => heapMib,
    (mib) => mib * MORE_HEAP.factor + MORE_HEAP.mib,
  )
  compare(
    'MiB of resident memory',
    ({ residentMib }) => residentMib,
    (mib) => mib * MORE_RESIDENT.factor + MORE_RESIDENT.mib,
  )
  if (latency)
    compare(
      'ms of p99',
      ({ p99Ms }) => p99Ms,
      (ms) => ms * MORE_P99.factor + MORE_P99.ms,
    )
  for (const [at, { count, errors }] of windows.entries()) {
    if (count === 0) problems.push(`window ${at + 1}: nothing was answered`)
    for (const [error, times] of errors) problems.push(`window ${at + 1}: ${times} × ${error}`)
  }
  return problems
}

export function tableOf(windows: readonly Window[], minutes: number): string[] {
  const head = ['until min', 'requests', 'p50 ms', 'p99 ms', 'heap MiB', 'resident MiB', 'errors']
  const lines = windows.map(({ count, p50Ms, p99Ms, heapMib, residentMib, errors }, at) => [
    ((at + 1) * minutes).toFixed(1),
    count,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    heapMib.toFixed(1),
    residentMib.toFixed(0),
    Array.from(errors.values()).reduce((sum, times) => sum + times, 0),
  ])
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}
