import { QueryClient } from '@tanstack/react-query'
import { noteNextTry } from '../state/connection.ts'
import { learnTeam } from '../state/opening.ts'
import { sessionToken, subscribeSession, wasTokenRefused } from '../state/session.ts'
import { dropEarly } from './early.ts'
import { ownKey } from './queries.ts'
import { recoverBy } from './recovery.ts'
import { retryAfter } from './retries.ts'

/**
 * The cache of all that was read. What belongs to a team goes when the token does, unless the server refused that:
 * then the page stays as it was, with what is typed in it, until somebody decides.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => retryAfter(error, count, 0) !== null,
        retryDelay: (count, error) => {
          const waitMs = retryAfter(error, count, Math.random())
          if (waitMs !== null) noteNextTry(waitMs)
          return waitMs ?? 0
        },
      },
      mutations: { retry: false },
    },
  })
  recoverBy(client)
  subscribeSession(() => {
    dropEarly()
    if (sessionToken() === null) learnTeam(null)
    if (!wasTokenRefused()) client.removeQueries({ queryKey: [ownKey] })
  })
  return client
}
