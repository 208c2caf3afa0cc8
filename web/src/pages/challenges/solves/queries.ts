import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { requestData } from '../../../api/client.ts'
import { tracksOf } from '../../../account/tracks/tracks-of.ts'
import { OWN_KEY, PAGE_SIZE } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'

/** docs/reference/site.md#refresh-intervals */
const EVERY_MS = 15_000

/** The teams that solved a challenge, oldest first. */
export function solvesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [OWN_KEY, 'solves', id, 'pages'],
    queryFn: ({ signal, pageParam, client }) => {
      const page = { limit: String(PAGE_SIZE), offset: String(pageParam), ...tracksOf(client) }
      return requestData(listSolvesV2, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.solves.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
    ...refresh(EVERY_MS),
  })
}

/** The solve at a position, starting at 1. */
export function solveAtQuery(id: string, position: number) {
  return queryOptions({
    queryKey: [OWN_KEY, 'solves', id, 'at', position],
    queryFn: async ({ signal, client }) => {
      const page = { limit: '1', offset: String(position - 1), ...tracksOf(client) }
      const { solves } = await requestData(
        listSolvesV2,
        { params: { id }, query: page },
        { signal, asTeam: true },
      )
      return solves[0] ?? null
    },
  })
}
