import type { Warning, WarningCode } from '@pennant/contract/overview.ts'
import type { z } from 'zod'

export type Code = z.infer<typeof WarningCode>

/** Something that needs an organiser or operator. */
export interface Finding {
  readonly code: Code
  readonly text: string
  /** Unix milliseconds; null when only the present is known. */
  readonly since: number | null
}

/** Looks after one thing. Soon done, and never rejects: what cannot be asked is away, and that is a finding. */
export type WarningSource = () => Promise<readonly Finding[]> | readonly Finding[]

/** Dates what is found: by itself, or by when it was first seen here. What is over is forgotten. */
export function createWarningBook(now: () => number) {
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

const MOST_NAMED = 5

/** `a, b and 3 more`: a sentence about many things stays a sentence. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more` : names.join(', ')
}
