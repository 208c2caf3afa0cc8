import { badRateLimit } from '@pennant/contract/replies.ts'
import type { BucketSize, Buckets } from '../../../lib/key-value.ts'

/**
 * Rate limits against email abuse, off unless configured:
 * docs/reference/requests-and-responses.md#rate-limits
 */
export interface AbuseLimits {
  readonly registerIp: BucketSize
  readonly registerEmail: BucketSize
  readonly recoverIp: BucketSize
  readonly recoverEmail: BucketSize
  readonly setEmail: BucketSize
}

/** Takes a token from each bucket in order. Returns the refusal of the first empty bucket, or null. */
export async function takeAll(
  buckets: Buckets,
  wanted: readonly { readonly key: string; readonly size: BucketSize }[],
) {
  for (const { key, size } of wanted) {
    const timeLeft = await buckets.take(key, size)
    if (timeLeft > 0) return badRateLimit({ timeLeft })
  }
  return null
}
