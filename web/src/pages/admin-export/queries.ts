import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

export const standingsQuery = queryOptions({
  queryKey: [OWN_KEY, 'standings-export'],
  queryFn: ({ signal }) => ask(getExtrankLeaderboard, {}, { signal }),
  ...refresh(null),
})
