import { SECOND_MS } from '@pennant/contract/durations.ts'

/** Number of recent responses kept; the fastest gives the best estimate of the server's time. */
const SAMPLES = 8

/** One measurement of the server's time; the middle between request and response is the reference. */
export interface Sample {
  readonly offsetMs: number
  readonly tripMs: number
}

interface ResponseTimes {
  /** The `Date` header in Unix milliseconds, truncated to whole seconds. */
  readonly date: number
  /** Seconds that the response was in a cache, from the `Age` header. */
  readonly ageS: number
  /** Browser's clock, Unix milliseconds; so is `receivedAt`. */
  readonly sentAt: number
  readonly receivedAt: number
}

export function sampleOf({ date, ageS, sentAt, receivedAt }: ResponseTimes): Sample {
  const serverTime = date + ageS * SECOND_MS + SECOND_MS / 2
  return { offsetMs: serverTime - (sentAt + receivedAt) / 2, tripMs: receivedAt - sentAt }
}

/**
 * Adds a sample; drops the oldest, and those that contradict it because one of the two clocks was changed
 * since.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const agrees = ({ offsetMs, tripMs }: Sample) =>
    Math.abs(offsetMs - sample.offsetMs) <= (tripMs + sample.tripMs) / 2 + SECOND_MS
  return [...samples.filter(agrees), sample].slice(-SAMPLES)
}

/**
 * Milliseconds to add to the browser's clock. 0 below half a second, which is within the header's precision.
 */
export function offsetFrom(samples: readonly Sample[]): number {
  const [first, ...rest] = samples
  if (!first) return 0
  const best = rest.reduce((least, each) => (each.tripMs < least.tripMs ? each : least), first)
  return Math.abs(best.offsetMs) < SECOND_MS / 2 ? 0 : best.offsetMs
}
