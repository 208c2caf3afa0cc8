import { budgetOf } from '@pennant/contract/budgets.ts'
import { limitOf, type LimitKey, type LimitName } from '@pennant/contract/limits.ts'
import { badRateLimit } from '@pennant/contract/replies.ts'
import type { Route } from '@pennant/contract/route.ts'
import { createMemoryBuckets } from '../../lib/buckets.ts'
import type { Buckets, BucketSize } from '../../lib/key-value.ts'
import { addressKey } from './client-address.ts'

type Refusal = ReturnType<typeof badRateLimit>

/** Applies the rate limits of contract/src/limits.ts, where each one declares its key. */
export interface Limiter {
  /** Takes a token from the bucket of `key`. Returns the refusal if there is none, otherwise null. */
  take(name: LimitName, key: string): Promise<Refusal | null>
}

export interface LimiterOptions {
  /** Shared by all processes if Redis is configured. */
  readonly buckets: Buckets
  readonly now: () => number
  /** Sizes that the deployment overrides. */
  readonly sizes?: Partial<Readonly<Record<LimitName, BucketSize>>>
}

export function createLimiter({ buckets, now, sizes = {} }: LimiterOptions): Limiter {
  const own = createMemoryBuckets({ now })
  return {
    async take(name, key) {
      const limit = limitOf(name)
      const store = limit.isPerProcess ? own : buckets
      const timeLeft = await store.take(`${name}:${key}`, sizes[name] ?? limit)
      return timeLeft > 0 ? badRateLimit({ timeLeft }) : null
    },
  }
}

/** The sender of a request, for the limits that apply to every request. */
export interface Caller {
  readonly ip: string
  readonly team: { readonly id: string } | null
}

const KEYS: Readonly<Partial<Record<LimitKey, (caller: Caller) => string | null>>> = {
  address: ({ ip }) => addressKey(ip),
  team: ({ team }) => team?.id ?? null,
  // All workers of a deployment share one key.
  'worker key': () => 'all',
}

/** Returns a function that applies the limits for every request of a route, or null if the route has none. */
export function requestLimits(route: Route, limiter: Limiter) {
  const wanted = budgetOf(route)
    .limits.filter((name) => limitOf(name).taken === 'request')
    .map((name) => ({ name, keyOf: KEYS[limitOf(name).key] }))
  if (wanted.length === 0) return null
  return async (caller: Caller): Promise<Refusal | null> => {
    for (const { name, keyOf } of wanted) {
      const key = keyOf?.(caller) ?? null
      if (key === null) throw new Error(`${route.path}: the request has no key for the limit ${name}`)
      const refusal = await limiter.take(name, key)
      if (refusal) return refusal
    }
    return null
  }
}
