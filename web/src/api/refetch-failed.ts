import type { Query, QueryClient } from '@tanstack/react-query'

/** Whether a query's last attempt failed, even if it still shows older data. */
function isFailing({ state }: Query): boolean {
  return state.status === 'error' || state.fetchFailureCount > 0
}

/** Refetches all active queries that failed, including those that wait between two retries. */
export function refetchFailedQueries(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ type: 'active', predicate: isFailing })) {
    // Otherwise the refetch would only join the pending wait.
    void query.cancel({ silent: true })
    query.fetch().catch(() => {})
  }
}
