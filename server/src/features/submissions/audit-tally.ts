/** How many rows there are of something, and between which instants (milliseconds) they lie. */
export interface Tally {
  readonly count: number
  readonly oldest: number
  readonly newest: number
}

/** What rows are counted by. */
export type Grouping = 'none' | 'challenge_id' | 'team_id' | 'ip' | 'result'

/** By key of the grouping; of `none` there is one, under the empty key, when there are rows. */
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

/** Both together. Rows counted in one are not counted in the other. */
export function merged(a: Tallies, b: Tallies): Tallies {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [key, tally] of b) {
    const known = sum.get(key)
    sum.set(key, known ? sumOf(known, tally) : tally)
  }
  return sum
}
