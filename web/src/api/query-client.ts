import { QueryClient } from '@tanstack/react-query'
import { subscribeSession } from '../state/session.ts'
import { dropEarly } from './early.ts'
import { isPassing } from './failure.ts'
import { ownKey } from './queries.ts'

/** Site specification 2.3: seconds until each try of its own, before a person must ask. */
const RETRIES_MS = [1000, 2000, 5000, 15_000]

/** The cache of all that was read. What belongs to a team goes when the token does. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => count < RETRIES_MS.length && isPassing(error),
        retryDelay: (count) => (RETRIES_MS[count] ?? 0) * (0.8 + 0.4 * Math.random()),
      },
      mutations: { retry: false },
    },
  })
  subscribeSession(() => {
    dropEarly()
    client.removeQueries({ queryKey: [ownKey] })
  })
  return client
}
