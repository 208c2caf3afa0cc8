import type { FirstSeen } from '../../state/first-seen.ts'

interface Listed {
  readonly id: string
  readonly solves: number
}

/** Those first that this browser knows for the shortest time; of one moment those that fewest have solved yet. */
export function newest<Item extends Listed>(challenges: readonly Item[], seen: FirstSeen): Item[] {
  return challenges.toSorted(
    (left, right) => (seen[right.id] ?? 0) - (seen[left.id] ?? 0) || left.solves - right.solves,
  )
}
