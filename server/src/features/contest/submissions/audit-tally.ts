/** Number of rows and the range of their timestamps in milliseconds. */
export interface Tally {
  readonly count: number
  readonly oldest: number
  readonly newest: number
}

/** The column that rows are counted by. */
export type Grouping = 'none' | 'challenge_id' | 'team_id' | 'ip' | 'result'

/** Tallies by key. For `none`, one tally under the empty key, or no entry if there are no rows. */
export type Tallies = ReadonlyMap<string, Tally>

export function totalOf(tallies: Tallies): number {
  let total = 0
  for (const { count } of tallies.values()) total += count
  return total
}

export function sumOf(a: Tally, b: Tally): Tally {
  return {
    count: a.count + b.count,
    oldest: Math.min(a.oldest, b.oldest),
    newest: Math.max(a.newest, b.newest),
  }
}

/** Sum of two disjoint counts. */
export function merged(a: Tallies, b: Tallies): Tallies {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [key, tally] of b) {
    const known = sum.get(key)
    sum.set(key, known ? sumOf(known, tally) : tally)
  }
  return sum
}
