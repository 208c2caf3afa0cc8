import type { Buckets, BucketSize } from './key-value.ts'

/**
 * A bucket is one number: the instant at which it is full again, in whole microseconds, so that no fraction drifts
 * and the store's script counts the same. Each token taken moves it one interval away.
 */
export interface BucketStep {
  readonly fullAtUs: number
  /** 0 when a token was taken, else milliseconds to wait, rounded up. */
  readonly waitMs: number
}

export function takeToken(fullAtUs: number, nowUs: number, size: BucketSize): BucketStep {
  const intervalUs = tokenIntervalUs(size)
  const emptyUs = intervalUs * size.burst
  // The upper bound heals a bucket whose clock went back: it is at most empty.
  const debtUs = Math.min(Math.max(fullAtUs - nowUs, 0), emptyUs)
  const waitUs = debtUs + intervalUs - emptyUs
  if (waitUs > 0) return { fullAtUs: nowUs + debtUs, waitMs: Math.ceil(waitUs / 1000) }
  return { fullAtUs: nowUs + debtUs + intervalUs, waitMs: 0 }
}

/** Rounded down, so that a bucket never takes longer than its window to fill. */
export function tokenIntervalUs({ burst, windowMs }: BucketSize): number {
  return Math.floor((windowMs * 1000) / burst)
}

export interface MemoryBucketsOptions {
  readonly now: () => number
  readonly maxKeys?: number
}

/** About 15 MB at most. */
const defaultMaxKeys = 100_000

/** Buckets of one process. Full ones are forgotten: a missing bucket is a full one. */
export function createMemoryBuckets({ now, maxKeys = defaultMaxKeys }: MemoryBucketsOptions): Buckets {
  // In the order of the last take, so that the first ones are the nearest to full.
  const fullAt = new Map<string, number>()
  const firstSweep = Math.min(1024, maxKeys)
  let sweepAt = firstSweep

  function sweep(nowUs: number) {
    for (const [key, fullAtUs] of fullAt) if (fullAtUs <= nowUs) fullAt.delete(key)
    // A tenth goes at once when nothing is full, so that a flood of keys does not sweep on every take.
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
