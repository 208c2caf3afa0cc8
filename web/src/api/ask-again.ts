import type { Query, QueryClient } from '@tanstack/react-query'

/** Whether a query's last try failed, whatever it shows. */
function isFailing({ state }: Query): boolean {
  return state.status === 'error' || state.fetchFailureCount > 0
}

/** Asks at once for all in sight that failed, also for what waits between two tries of its own. */
export function askAgain(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ type: 'active', predicate: isFailing })) {
    // Else asking again would only join the wait.
    void query.cancel({ silent: true })
    query.fetch().catch(() => {})
  }
}
