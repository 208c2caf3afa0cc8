/** How long a challenge is marked as new: docs/reference/site.md#challenges-page */
const NEW_MS = 600_000

export type Seen = Readonly<Record<string, number>>

/** Adds first-seen times and drops removed challenges. On the first visit, nothing counts as new. */
export function withSeen(seen: Seen | undefined, ids: readonly string[], now: number): Seen {
  return Object.fromEntries(ids.map((id) => [id, seen ? (seen[id] ?? now) : 0]))
}

export function isSameSeen(left: Seen | undefined, right: Seen): boolean {
  const ids = Object.keys(right)
  if (!left || ids.length !== Object.keys(left).length) return false
  return ids.every((id) => left[id] === right[id])
}

export function newOf(seen: Seen, now: number): string[] {
  return Object.keys(seen).filter((id) => {
    const since = seen[id] ?? 0
    return since > 0 && now - since < NEW_MS
  })
}
