import {
  badAnalyticsScript,
  errorAnalyticsScript,
  getAnalyticsScript,
  SCRIPT_MAX_AGE_S,
} from '@pennant/contract/analytics.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { preparedBytes } from '../../../http/response/prepared.ts'
import { memoizeFor } from '../../../lib/memoize-for.ts'
import type { Log } from '../../../lib/log.ts'
import type { Analytics } from '../../../providers/analytics/analytics.ts'

export interface AnalyticsDeps {
  /** Null if analytics are off. */
  readonly analytics: Pick<Analytics, 'fetchScript'> | null
  readonly now: () => number
  readonly log: Log
}

export function analyticsRoutes({ analytics, now, log }: AnalyticsDeps): Endpoint[] {
  if (!analytics) return [on(getAnalyticsScript, () => badAnalyticsScript())]
  const script = memoizeFor(SCRIPT_MAX_AGE_S * 1000, now, async () =>
    preparedBytes(await analytics.fetchScript()),
  )
  return [
    on(getAnalyticsScript, async () => {
      try {
        return await script()
      } catch (error) {
        log.warn({ err: error }, 'could not fetch the analytics script')
        return errorAnalyticsScript()
      }
    }),
  ]
}
