// Hints of challenges: docs/decisions/0039-sell-hints-under-the-change-lock.md

export type ReleaseKind = 'manual' | 'time' | 'after'

export interface HintRow {
  readonly id: string
  readonly challengeId: string
  readonly position: number
  /** Markdown. Only for teams that may read it. */
  readonly text: string
  /** Whole points; 0 if free. */
  readonly price: number
  readonly releaseKind: ReleaseKind
  /** Of `time`, and of `manual` once an organiser has released it. Unix milliseconds. */
  readonly releaseAt: number | null
  /** Of `after`: minutes after the release of the challenge. */
  readonly releaseMinutes: number | null
  readonly version: number
}

/** A hint that a team has bought. */
export interface PurchaseRow {
  readonly hintId: string
  readonly teamId: string
  /** What it paid. */
  readonly price: number
  readonly at: number
  readonly adjustmentId: string
}

/** All hints. */
export interface Hints {
  readonly byId: ReadonlyMap<string, HintRow>
  /** In their order. Challenges without any are missing. */
  readonly byChallenge: ReadonlyMap<string, readonly HintRow[]>
}

const MINUTE_MS = 60_000

export function createHints(rows: Iterable<HintRow>): Hints {
  const byId = new Map<string, HintRow>()
  const byChallenge = new Map<string, HintRow[]>()
  for (const row of [...rows].toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))) {
    byId.set(row.id, row)
    const siblings = byChallenge.get(row.challengeId)
    if (siblings) siblings.push(row)
    else byChallenge.set(row.challengeId, [row])
  }
  return { byId, byChallenge }
}

/**
 * When a hint can be read or bought by those who see its challenge; null if an organiser has not released it. A challenge that is
 * released before the event counts from the start, because nobody sees it earlier.
 */
export function hintReleaseAt(
  { releaseKind, releaseAt, releaseMinutes }: HintRow,
  challenge: { readonly releaseAt: number | null },
  { startTime }: { readonly startTime: number },
): number | null {
  if (releaseKind !== 'after') return releaseAt
  return Math.max(challenge.releaseAt ?? startTime, startTime) + (releaseMinutes ?? 0) * MINUTE_MS
}
