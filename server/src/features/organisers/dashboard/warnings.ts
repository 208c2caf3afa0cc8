import type { Warning, WarningCode } from '@pennant/contract/overview.ts'
import type { z } from 'zod'

export type Code = z.infer<typeof WarningCode>

/** A problem that needs an organiser's or operator's attention. */
export interface Finding {
  readonly code: Code
  readonly text: string
  /** Unix milliseconds; absent or null if the start is unknown. */
  readonly since?: number | null
}

/** Checks one thing. Must be fast and must not reject: what cannot be reached is reported as a finding. */
export type WarningSource = () => Promise<readonly Finding[]> | readonly Finding[]

/**
 * Adds start times to findings: their own, or when they were first seen here. Resolved findings are
 * forgotten.
 */
export function createWarningTracker(now: () => number) {
  const firstSeen = new Map<Code, number>()
  return (found: readonly Finding[]): z.infer<typeof Warning>[] => {
    const codes = new Set(found.map(({ code }) => code))
    for (const code of firstSeen.keys()) if (!codes.has(code)) firstSeen.delete(code)
    for (const code of codes) if (!firstSeen.has(code)) firstSeen.set(code, now())
    return found
      .map(({ code, text, since }) => ({ code, text, since: since ?? firstSeen.get(code) ?? now() }))
      .sort((a, b) => b.since - a.since)
  }
}

const MAX_NAMED = 5

/** Shortens long lists: `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more` : names.join(', ')
}
