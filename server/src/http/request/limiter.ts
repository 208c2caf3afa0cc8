import {
  limitOf,
  strictLimits,
  type LimitKey,
  type LimitName,
  type StrictLimitName,
} from '@pennant/contract/limits.ts'
import { badRateLimit } from '@pennant/contract/replies.ts'
import type { Route } from '@pennant/contract/route.ts'
import { createMemoryBuckets } from '../../lib/buckets.ts'
import type { Buckets, BucketSize } from '../../lib/key-value.ts'
import { addressKey } from './client-address.ts'

type Refusal = ReturnType<typeof badRateLimit>

/** Applies the rate limits of contract/src/limits.ts, where each one declares its key. */
export interface Limiter {
  /**
   * Takes a token from the bucket of `key`. Returns the refusal if there is none, otherwise null, as for a strict
   * limit that is turned off.
   */
  take(name: LimitName | StrictLimitName, key: string): Promise<Refusal | null>
}

export interface LimiterOptions {
  /** Shared by all processes if Redis is configured. */
  readonly buckets: Buckets
  readonly now: () => number
  /** Sizes that the deployment sets; strict limits are off without one. */
  readonly sizes?: Partial<Readonly<Record<LimitName | StrictLimitName, BucketSize>>>
}

export function createLimiter({ buckets, now, sizes = {} }: LimiterOptions): Limiter {
  const own = createMemoryBuckets({ now })
  return {
    async take(name, key) {
      const limit = isStrict(name) ? undefined : limitOf(name)
      const size = sizes[name] ?? limit
      if (!size) return null
      const { processBurst: burst } = limit ?? {}
      const isShared = burst === undefined
      let timeLeft = await (isShared ? buckets : own).take(`${name}:${key}`, size)
      if (timeLeft === 0 && !isShared) timeLeft = await own.take(name, { ...size, burst })
      return timeLeft > 0 ? badRateLimit({ timeLeft }) : null
    },
  }
}

function isStrict(name: LimitName | StrictLimitName): name is StrictLimitName {
  return Object.hasOwn(strictLimits, name)
}

/** The sender of a request, for the limits that apply to every request. */
export interface Caller {
  readonly ip: string
  readonly team: { readonly id: string } | null
  readonly person?: { readonly id: string } | null
}

const KEYS: Readonly<Partial<Record<LimitKey, (caller: Caller) => string | null>>> = {
  address: ({ ip }) => addressKey(ip),
  team: ({ team }) => team?.id ?? null,
  person: ({ person }) => person?.id ?? null,
  // All workers of a deployment share one key.
  'worker key': () => 'all',
}

/** Returns a function that applies the limits for every request of a route, or null if the route has none. */
export function requestLimits(route: Route, limiter: Limiter) {
  const wanted = route.limits.map((name) => ({ name, keyOf: KEYS[limitOf(name).key] }))
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
