/** Buckets grow by this factor, so a quantile is exact to one percent. */
const GROWTH = 1.01
const LOG_GROWTH = Math.log(GROWTH)
/** Up to about six minutes. */
const BUCKETS = 1980

/** Counts durations in buckets, so that a run of any length takes the same memory. */
export interface Latencies {
  add(ms: number): void
  /** In milliseconds; NaN without any. `part` is from 0 to 1. */
  quantile(part: number): number
  max(): number
}

export function createLatencies(): Latencies {
  const counts = new Uint32Array(BUCKETS)
  let total = 0
  let max = 0
  return {
    add(ms) {
      const us = Math.max(1, ms * 1000)
      const bucket = Math.min(BUCKETS - 1, Math.floor(Math.log(us) / LOG_GROWTH))
      counts[bucket] = (counts[bucket] ?? 0) + 1
      total += 1
      if (ms > max) max = ms
    },
    quantile(part) {
      let left = Math.ceil(total * part)
      if (total === 0) return NaN
      for (const [bucket, count] of counts.entries()) {
        left -= count
        // The middle of the bucket.
        if (left <= 0) return Math.min(max, GROWTH ** (bucket + 0.5) / 1000)
      }
      return max
    },
    max: () => max,
  }
}
