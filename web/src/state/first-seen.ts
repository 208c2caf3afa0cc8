import { readStored, writeStored } from './storage.ts'

// The API does not report when a challenge was released, so a challenge is new if this browser has not seen
// it before.

const KEY = 'pennant.challenges-seen'

/** Unix milliseconds at which each challenge first appeared in the list. */
export type FirstSeen = Readonly<Record<string, number>>

/** Adds the challenges of the list and drops those that are no longer in it. */
export function withSeen(known: FirstSeen, ids: readonly string[], now: number): FirstSeen {
  return Object.fromEntries(ids.map((id) => [id, (Object.hasOwn(known, id) ? known[id] : undefined) ?? now]))
}

/** Records the challenges of the list and returns since when this browser knows each. */
export function learnChallenges(ids: readonly string[], now: number): FirstSeen {
  const seen = withSeen(parsed(readStored(KEY)), ids, now)
  writeStored(KEY, JSON.stringify(seen))
  return seen
}

function parsed(text: string | null): FirstSeen {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    const entries = Object.entries(value ?? {}).filter((entry) => typeof entry[1] === 'number')
    return Object.fromEntries(entries) as FirstSeen
  } catch {
    return {}
  }
}
