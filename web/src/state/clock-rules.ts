const SECOND_MS = 1000

/** Of so many answers the one that was fastest tells the time best. */
const SAMPLES = 8

/** What one answer said of the time, against the middle between asking and answering. */
export interface Sample {
  readonly offsetMs: number
  readonly tripMs: number
}

interface Told {
  /** Of the `Date` header, Unix milliseconds: whole seconds, cut off. */
  readonly date: number
  /** Seconds that the answer lay in a cache, by the `Age` header. */
  readonly ageS: number
  /** Of the browser's clock, Unix milliseconds, as `receivedAt`. */
  readonly sentAt: number
  readonly receivedAt: number
}

export function sampleOf({ date, ageS, sentAt, receivedAt }: Told): Sample {
  const told = date + ageS * SECOND_MS + SECOND_MS / 2
  return { offsetMs: told - (sentAt + receivedAt) / 2, tripMs: receivedAt - sentAt }
}

/** With one more, the oldest left out, and those that it contradicts: one of the two clocks was set since. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const agrees = ({ offsetMs, tripMs }: Sample) =>
    Math.abs(offsetMs - sample.offsetMs) <= (tripMs + sample.tripMs) / 2 + SECOND_MS
  return [...samples.filter(agrees), sample].slice(-SAMPLES)
}

/** Milliseconds to add to the browser's clock. Below half a second the header says nothing: a right clock stays as it is. */
export function offsetFrom(samples: readonly Sample[]): number {
  const [first, ...rest] = samples
  if (!first) return 0
  const best = rest.reduce((least, each) => (each.tripMs < least.tripMs ? each : least), first)
  return Math.abs(best.offsetMs) < SECOND_MS / 2 ? 0 : best.offsetMs
}
