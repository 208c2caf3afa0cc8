import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { listAdminMessageThreads } from '@pennant/contract/messages.ts'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../api/client.ts'
import { OWN_KEY } from '../api/queries.ts'
import { refresh } from '../state/live.ts'

/** How many questions of teams wait for an answer; the stream says when to ask again. */
export function useWaitingMessages(enabled: boolean): number {
  const query = useQuery({
    queryKey: [OWN_KEY, 'admin-messages', 'waiting'],
    queryFn: async ({ signal }) => {
      const paging = { filter: 'open' as const, limit: '1', offset: '0' }
      return (await ask(listAdminMessageThreads, { query: paging }, { signal, turn: 'later' })).counts.open
    },
    enabled,
    ...refresh(MINUTE_MS),
  })
  return query.data ?? 0
}
