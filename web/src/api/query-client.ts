import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { recordNextTry, isOffline, subscribeOffline } from '../state/connection.ts'
import { learnTeam } from '../state/opening.ts'
import { sessionToken, subscribeSession, wasTokenRefused, wasTokenRenewed } from '../state/session.ts'
import { isAnyClosed, subscribeVisibility } from '../state/visibility.ts'
import { dropEarly } from './early.ts'
import { RequestFailure } from './failure.ts'
import { OWN_KEY, configQuery } from './queries.ts'
import { retryAfter } from './retries.ts'
import { refetchFailedQueries } from './refetch-failed.ts'

/** While the server does not respond, one small request at this interval checks whether it is back. */
const PROBE_MS = 15_000
/** Spreads the refetches: all browsers notice in the same second that the server is back. */
const SPREAD_MS = 2000

/**
 * Creates the query cache. Data of a team is dropped when the token is, unless the server refused the token:
 * then the page stays as it is, with everything typed in it, until the user decides.
 */
export function createQueryClient(): QueryClient {
  // A pending mutation must disable its button before the second click of a double click.
  notifyManager.setScheduler(queueMicrotask)
  const client = new QueryClient({
    mutationCache: new MutationCache({ onError: reportBug }),
    defaultOptions: {
      queries: {
        retry: (count, error) => retryAfter(error, count, 0) !== null,
        retryDelay: (count, error) => {
          const waitMs = retryAfter(error, count, Math.random())
          if (waitMs !== null) recordNextTry(waitMs)
          return waitMs ?? 0
        },
      },
      // Without a network, a mutation fails immediately; it is not sent later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  recoverBy(client)
  /** What is read of closed parts depends on who reads it. */
  const forget = () =>
    client.resetQueries({ predicate: ({ queryKey: [first] }) => first !== configQuery.queryKey[0] })
  subscribeVisibility(() => void forget())
  subscribeSession(() => {
    if (isAnyClosed() && !wasTokenRefused() && !wasTokenRenewed()) {
      void forget()
      void client.invalidateQueries({ queryKey: configQuery.queryKey })
    }
    dropEarly()
    if (sessionToken() === null) learnTeam(null)
    if (!wasTokenRefused() && !wasTokenRenewed()) client.removeQueries({ queryKey: [OWN_KEY] })
  })
  return client
}

/** `mutate` discards errors, which callers expect only as failed requests. */
function reportBug(error: Error): void {
  if (!(error instanceof RequestFailure)) reportError(error)
}

/** Refetches what failed when the server is back, without a reload. Call once. */
function recoverBy(client: QueryClient): void {
  let probe: ReturnType<typeof setTimeout> | undefined
  const probeServer = () => {
    // A hidden tab sends nothing; it checks when it becomes visible.
    if (!document.hidden) {
      client.fetchQuery({ ...configQuery, staleTime: 0, retry: false }).catch(() => {})
    }
    again()
  }
  const again = () => {
    clearTimeout(probe)
    probe = isOffline() ? setTimeout(probeServer, PROBE_MS * (0.8 + 0.4 * Math.random())) : undefined
  }
  subscribeOffline(() => {
    again()
    if (isOffline()) return
    setTimeout(() => refetchFailedQueries(client), SPREAD_MS * Math.random())
  })
}
