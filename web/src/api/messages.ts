import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { listMessageThreads, readMessageThread } from '@pennant/contract/messages.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { refreshStreamed } from '../state/live.ts'
import { requestData } from './client.ts'
import { OWN_KEY } from './queries.ts'
import { useConfig, useOwnTeam } from './use-contest.ts'

/** The own team's threads with the organisers. */
export const messagesQuery = queryOptions({
  queryKey: [OWN_KEY, 'messages'],
  queryFn: ({ signal }) => requestData(listMessageThreads, {}, { signal, turn: 'later' }),
  ...refreshStreamed(10 * MINUTE_MS),
})

export function threadQuery(id: string) {
  return queryOptions({
    queryKey: [OWN_KEY, 'messages', id],
    queryFn: ({ signal }) => requestData(readMessageThread, { params: { id } }, { signal }),
    ...refreshStreamed(MINUTE_MS),
  })
}

export function useMessageThreads() {
  const config = useConfig()
  const { isSignedIn } = useOwnTeam()
  return useQuery({ ...messagesQuery, enabled: isSignedIn && config !== undefined && !config.isArchived })
}

export type TeamThread = Awaited<ReturnType<typeof requestData<typeof listMessageThreads>>>['threads'][number]
