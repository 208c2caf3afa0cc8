import { z } from 'zod'
import { queryInteger, Timestamp } from './fields.ts'
import { parseTimestamp } from './timestamps.ts'

// Instants are Unix milliseconds. One before the year 2000 was meant as seconds:
// docs/reference/requests-and-responses.md#instants

export const FIRST_INSTANT = Date.UTC(2000, 0, 1)

/** The latest instant that a `Date` can represent. */
export const LAST_INSTANT = 8_640_000_000_000_000

/** Why a number is no instant, or null. */
export function instantProblem(value: number): string | null {
  if (value > LAST_INSTANT) return 'is later than any date'
  if (value >= FIRST_INSTANT) return null
  if (value < -LAST_INSTANT) return 'is earlier than any date'
  const ms = `${value} is ${isoTime(value)} in milliseconds, before the year 2000`
  const inSeconds = value * 1000
  if (inSeconds < FIRST_INSTANT || inSeconds > LAST_INSTANT)
    return `${ms}, and no later in seconds; use Unix milliseconds such as ${FIRST_INSTANT}`
  return `${ms}, and ${isoTime(inSeconds)} in seconds; use milliseconds: ${inSeconds}`
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

const problemOf = ({ input }: { readonly input?: unknown }) =>
  (typeof input === 'number' && instantProblem(input)) || 'must be Unix milliseconds'

const fromFirst = z.int().min(FIRST_INSTANT, { error: problemOf })

/** A number of a JSON body, up to `last`. */
export function instantUntil(last: number) {
  return fromFirst.max(last, { error: 'is too far in the future' }).describe('Unix milliseconds.')
}

export const Instant = instantUntil(LAST_INSTANT)

/** Text such as `2027-03-05T18:00:00Z`. */
export const InstantText = Timestamp.refine((text) => !(parseTimestamp(text) < FIRST_INSTANT), {
  error: 'must not be before the year 2000',
})

/** A query value: later times than any show what the last one does. */
export const QueryInstant = queryInteger(0)
  .pipe(fromFirst)
  .meta({ description: 'Unix milliseconds.', type: 'integer', minimum: FIRST_INSTANT })
