import type { AdminChallenge } from './checks.ts'

/** A time at which challenges are released. */
export interface Release {
  /** Unix milliseconds. */
  readonly at: number
  readonly challenges: number
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The times within the range at which visible challenges are released, oldest first. */
export function releasesIn(challenges: readonly AdminChallenge[], { from, to }: Range): Release[] {
  const counts = new Map<number, number>()
  for (const { hidden, releaseTime } of challenges) {
    if (hidden || releaseTime === null || releaseTime <= from || releaseTime >= to) continue
    counts.set(releaseTime, (counts.get(releaseTime) ?? 0) + 1)
  }
  return [...counts]
    .map(([at, count]) => ({ at, challenges: count }))
    .toSorted((left, right) => left.at - right.at)
}
