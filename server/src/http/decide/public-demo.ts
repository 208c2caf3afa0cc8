import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { isInPublicDemo } from '@pennant/contract/public-demo.ts'
import { badPublicDemo, badRateLimit } from '@pennant/contract/replies.ts'
import { createMemoryBuckets } from '../../lib/buckets.ts'
import { addressKey } from '../request/client-address.ts'
import type { PublicDemoGate } from './steps.ts'

/** For one address, and for all together: bounds the rows between two resets. Flags have stricter limits of their own. */
const WRITES = { burst: 60, windowMs: MINUTE_MS }
const ALL_WRITES = { burst: 300, windowMs: MINUTE_MS }
/** Pages of organisers run queries, and all visitors are one organiser, so limits of teams do not separate them. */
const READS = { burst: 300, windowMs: MINUTE_MS }
const ALL_READS = { burst: 3_000, windowMs: MINUTE_MS }

/** No visitor's address is stored: the organiser's pages, which everyone reads, show addresses. */
const HIDDEN_ADDRESS = 'unknown'

/**
 * The one place where the public demo refuses what could harm it or its visitors. By route, before the token is read: what the
 * organiser may do elsewhere does not matter. Limits are of this process; a demo has one.
 */
export function createPublicDemoGate(now: () => number): PublicDemoGate {
  const buckets = createMemoryBuckets({ now })
  return {
    firstStep(route) {
      if (!isInPublicDemo(route)) return () => badPublicDemo()
      const isRead = route.method === 'GET'
      if (isRead && !route.perms?.length) return null
      const [name, one, all] = isRead ? ['read', READS, ALL_READS] : ['write', WRITES, ALL_WRITES]
      return async ({ ip }) => {
        const timeLeft =
          (await buckets.take(`${name}:${addressKey(ip)}`, one)) || (await buckets.take(name, all))
        return timeLeft > 0 ? badRateLimit({ timeLeft }) : null
      }
    },
    lastStep: ({ method }) => (method === 'GET' ? null : (draft) => ((draft.ip = HIDDEN_ADDRESS), null)),
  }
}
