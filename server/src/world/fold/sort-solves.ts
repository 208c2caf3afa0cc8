import { compareSolves } from '../solves.ts'
import type { Solves } from '../state.ts'

/**
 * Sorts solve slots by time, then id, in place or into a new array. Sorting times natively as numeric keys is five times
 * faster than a comparator.
 */
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

/** Fast path: a table that was only ever appended to is read in order. */
function isSorted(solves: Solves, slots: Int32Array): boolean {
  for (let index = 1; index < slots.length; index += 1) {
    if (compareSolves(solves, slots[index - 1] as number, slots[index] as number) > 0) return false
  }
  return true
}

/** Packs time and index into one number; null if they do not fit (17 years of milliseconds for 10,000 solves). */
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

/** Sorts each run of equal times by id, in place. Such runs are rare. */
function sortTies(solves: Solves, sorted: Int32Array): void {
  const { at } = solves
  let start = 0
  for (let end = 1; end <= sorted.length; end += 1) {
    if (end < sorted.length && at[sorted[end] as number] === at[sorted[start] as number]) continue
    if (end - start > 1) sorted.subarray(start, end).sort((a, b) => compareSolves(solves, a, b))
    start = end
  }
}
