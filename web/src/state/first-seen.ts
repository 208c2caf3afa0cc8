import { readStored, writeStored } from './storage.ts'

// The API does not tell when a challenge came out: what this browser has not seen before is new here.

const KEY = 'pennant.challenges-seen'

/** Unix milliseconds of the moment at which each challenge was in the list for the first time. */
export type FirstSeen = Readonly<Record<string, number>>

/** What is known of the challenges of the list; those that are gone are forgotten. */
export function withSeen(known: FirstSeen, ids: readonly string[], now: number): FirstSeen {
  return Object.fromEntries(ids.map((id) => [id, (Object.hasOwn(known, id) ? known[id] : undefined) ?? now]))
}

/** Learns the challenges of the list, and tells since when this browser knows each. */
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
