import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { listAdminMessageThreads } from '@pennant/contract/messages.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { requestData } from '../../api/client.ts'
import { WAITING_MESSAGES_KEY } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'

/**
 * Counts the questions that wait for an answer, for the navigation of the organiser pages, which shows the number. It is read here,
 * with what every page loads last, so that no organiser page waits for it. The stream says when to read it again.
 */
export function useWaitingMessages(): void {
  const perms = useOwnTeam().team?.perms ?? 0
  const { pathname } = useLocation()
  const mayAnswer =
    hasPermissions(perms, ['challsRead']) &&
    (hasPermissions(perms, ['usersWrite']) || hasPermissions(perms, ['challsWrite']))
  useQuery({
    queryKey: WAITING_MESSAGES_KEY,
    queryFn: async ({ signal }) => {
      const query = { filter: 'open' as const, limit: '1', offset: '0' }
      return (await requestData(listAdminMessageThreads, { query }, { signal })).counts.open
    },
    enabled: mayAnswer && pathname.startsWith(paths.dashboard()),
    ...refresh(MINUTE_MS),
  })
}
