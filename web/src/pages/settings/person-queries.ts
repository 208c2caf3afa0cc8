import { readSignInWays } from '@pennant/contract/sign-in.ts'
import { listSessions } from '@pennant/contract/sessions.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig } from '../../api/use-contest.ts'
import { refresh } from '../../state/live.ts'
import { useSession } from '../../state/session.ts'

const waysQuery = queryOptions({
  queryKey: [OWN_KEY, 'person', 'ways'],
  queryFn: ({ signal }) => requestData(readSignInWays, {}, { signal }),
  ...refresh(null),
})

export const sessionsQuery = queryOptions({
  queryKey: [OWN_KEY, 'person', 'sessions'],
  queryFn: ({ signal }) => requestData(listSessions, {}, { signal }),
  ...refresh(null),
})

/** Undefined until it is known, and for the token of a team. */
export function useSignInWays() {
  const hasPeople = useConfig()?.people !== undefined
  const { token } = useSession()
  const query = useQuery({ ...waysQuery, enabled: hasPeople && token !== null, retry: false })
  return { ways: query.data, refetch: query.refetch }
}

export type Ways = NonNullable<ReturnType<typeof useSignInWays>['ways']>
