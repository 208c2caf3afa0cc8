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
  const fullAt = new Map<string, number>()
  const firstSweep = Math.min(1024, maxKeys)
  let sweepAt = firstSweep

  function sweep(nowUs: number) {
    for (const [key, fullAtUs] of fullAt) if (fullAtUs <= nowUs) fullAt.delete(key)
    if (fullAt.size >= maxKeys) evict(Math.ceil(maxKeys / 10))
    sweepAt = Math.min(Math.max(firstSweep, fullAt.size * 2), maxKeys)
  }

  /**
   * Evicts many at once, so that a flood of keys does not sweep on every take; the nearest to full first, because an emptied bucket
   * must not become full by taking from others.
   */
  function evict(count: number) {
    const limit = Float64Array.from(fullAt.values()).sort()[count - 1] ?? 0
    let left = count
    for (const [key, fullAtUs] of fullAt) {
      if (left === 0) return
      if (fullAtUs > limit) continue
      fullAt.delete(key)
      left -= 1
    }
  }

  return {
    async take(key, size) {
      const nowUs = now() * 1000
      const step = takeToken(fullAt.get(key) ?? 0, nowUs, size)
      if (step.waitMs > 0) return step.waitMs
      if (!fullAt.has(key) && fullAt.size >= sweepAt) sweep(nowUs)
      fullAt.set(key, step.fullAtUs)
      return 0
    },
  }
}
