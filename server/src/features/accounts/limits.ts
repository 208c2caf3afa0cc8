import { badRateLimit } from '@pennant/contract/replies.ts'
import type { BucketSize, Buckets } from '../../lib/key-value.ts'

/** Buckets against abuse of mail. Off unless the deployment configures them (participant 6). */
export interface AbuseLimits {
  readonly registerIp: BucketSize
  readonly registerEmail: BucketSize
  readonly recoverIp: BucketSize
  readonly recoverEmail: BucketSize
  readonly setEmail: BucketSize
}

/** Takes a token of each bucket in turn; the refusal of the first empty one, or null. */
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
