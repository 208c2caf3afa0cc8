import {
  badAnalyticsScript,
  errorAnalyticsScript,
  getAnalyticsScript,
  scriptMaxAgeS,
} from '@pennant/contract/analytics.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { preparedBytes, type Prepared } from '../../http/prepared.ts'
import type { Log } from '../../lib/log.ts'
import type { Analytics } from '../../providers/analytics/analytics.ts'

export interface AnalyticsDeps {
  /** Null when the deployment counts nobody. */
  readonly analytics: Pick<Analytics, 'fetchScript'> | null
  readonly now: () => number
  readonly log: Log
}

export function analyticsRoutes({ analytics, now, log }: AnalyticsDeps): Endpoint[] {
  if (!analytics) return [on(getAnalyticsScript, () => badAnalyticsScript())]
  const script = keepFor(scriptMaxAgeS * 1000, now, async () => preparedBytes(await analytics.fetchScript()))
  return [
    on(getAnalyticsScript, async () => {
      try {
        return await script()
      } catch (error) {
        log.warn({ err: error }, 'the analytics script could not be fetched')
        return errorAnalyticsScript()
      }
    }),
  ]
}

/** The last value while it is young. Those who find none share one fetch; one that fails leaves nothing behind. */
function keepFor(maxAgeMs: number, now: () => number, fetch: () => Promise<Prepared>) {
  let kept: { readonly value: Prepared; readonly at: number } | null = null
  let fetching: Promise<Prepared> | null = null

  async function refresh(): Promise<Prepared> {
    try {
      const value = await fetch()
      kept = { value, at: now() }
      return value
    } finally {
      fetching = null
    }
  }
  return async (): Promise<Prepared> => {
    if (kept && now() - kept.at < maxAgeMs) return kept.value
    return (fetching ??= refresh())
  }
}
