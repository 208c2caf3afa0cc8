import type { FirstSeen } from '../../state/first-seen.ts'

interface Listed {
  readonly id: string
  readonly solves: number
}

/** Sorts by first-seen time in this browser, newest first; ties by fewest solves. */
export function newest<Item extends Listed>(challenges: readonly Item[], seen: FirstSeen): Item[] {
  return challenges.toSorted(
    (left, right) => (seen[right.id] ?? 0) - (seen[left.id] ?? 0) || left.solves - right.solves,
  )
}
