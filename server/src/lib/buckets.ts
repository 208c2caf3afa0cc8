import type { Buckets, BucketSize } from './key-value.ts'

/**
 * A bucket is one number: the instant at which it is full again. Whole microseconds avoid rounding drift and match the
 * Redis script. Each token taken moves the instant one interval later.
 */
export interface BucketStep {
  readonly fullAtUs: number
  /** 0 when a token was taken, else milliseconds to wait, rounded up. */
  readonly waitMs: number
}

export function takeToken(fullAtUs: number, nowUs: number, size: BucketSize): BucketStep {
  const intervalUs = tokenIntervalUs(size)
  const emptyUs = intervalUs * size.burst
  // A bucket that owes more than all its tokens was written before the clock was set back; it starts full.
  const owedUs = Math.max(fullAtUs - nowUs, 0)
  const debtUs = owedUs > emptyUs ? 0 : owedUs
  const waitUs = debtUs + intervalUs - emptyUs
  if (waitUs > 0) return { fullAtUs: nowUs + debtUs, waitMs: Math.ceil(waitUs / 1000) }
  return { fullAtUs: nowUs + debtUs + intervalUs, waitMs: 0 }
}

/** Rounded down, so that a bucket is full within its window. */
export function tokenIntervalUs({ burst, windowMs }: BucketSize): number {
  return Math.floor((windowMs * 1000) / burst)
}

export interface MemoryBucketsOptions {
  readonly now: () => number
  readonly maxKeys?: number
}

/** About 15 MB at most. */
const DEFAULT_MAX_KEYS = 100_000

/** Buckets of one process. Full buckets are deleted: a missing bucket counts as full. */
export function createMemoryBuckets({ now, maxKeys = DEFAULT_MAX_KEYS }: MemoryBucketsOptions): Buckets {
  // Ordered by last take, so that the first buckets are the nearest to full.
  const fullAt = new Map<string, number>()
  const firstSweep = Math.min(1024, maxKeys)
  let sweepAt = firstSweep

  function sweep(nowUs: number) {
    for (const [key, fullAtUs] of fullAt) if (fullAtUs <= nowUs) fullAt.delete(key)
    // When no bucket is full, evicts a tenth at once, so that a flood of keys does not sweep on every take.
    const excess = fullAt.size < maxKeys ? 0 : Math.ceil(maxKeys / 10)
    let dropped = 0
    for (const key of fullAt.keys()) {
      if (dropped++ >= excess) break
      fullAt.delete(key)
    }
    sweepAt = Math.min(Math.max(firstSweep, fullAt.size * 2), maxKeys)
  }

  return {
    async take(key, size) {
      const nowUs = now() * 1000
      const step = takeToken(fullAt.get(key) ?? 0, nowUs, size)
      if (step.waitMs > 0) return step.waitMs
      if (!fullAt.delete(key) && fullAt.size >= sweepAt) sweep(nowUs)
      fullAt.set(key, step.fullAtUs)
      return 0
    },
  }
}
