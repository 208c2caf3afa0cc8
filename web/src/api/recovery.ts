import type { QueryClient } from '@tanstack/react-query'
import { isOffline, subscribeOffline } from '../state/connection.ts'
import { askAgain } from './ask-again.ts'
import { configQuery } from './queries.ts'

/** While nobody answers, one small question shows whether somebody does again. */
const PROBE_MS = 15_000
/** All browsers learn in the same second that the server is back. */
const SPREAD_MS = 2000

/** Asks again for what failed when the server is back, without a reload. Once. */
export function recoverBy(client: QueryClient): void {
  let probe: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    // A hidden tab asks nothing; it looks when somebody looks at it.
    if (!document.hidden) {
      client.fetchQuery({ ...configQuery, staleTime: 0, retry: false }).catch(() => {})
    }
    again()
  }
  const again = () => {
    clearTimeout(probe)
    probe = isOffline() ? setTimeout(ask, PROBE_MS * (0.8 + 0.4 * Math.random())) : undefined
  }
  subscribeOffline(() => {
    again()
    if (isOffline()) return
    setTimeout(() => askAgain(client), SPREAD_MS * Math.random())
  })
}
