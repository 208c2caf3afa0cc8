import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey, pageSize } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

/** Site specification 2.5. */
const EVERY_MS = 15_000

/** Who solved a challenge, oldest first. */
export function solvesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [ownKey, 'solves', id, 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const page = { limit: String(pageSize), offset: String(pageParam) }
      return ask(listSolvesV2, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.solves.length < pageSize ? undefined : pages.length * pageSize),
    ...refresh(EVERY_MS),
  })
}

/** The one solve at a position, from 1. */
export function solveAtQuery(id: string, position: number) {
  return queryOptions({
    queryKey: [ownKey, 'solves', id, 'at', position],
    queryFn: async ({ signal }) => {
      const page = { limit: '1', offset: String(position - 1) }
      const { solves } = await ask(listSolvesV2, { params: { id }, query: page }, { signal, asTeam: true })
      return solves[0] ?? null
    },
  })
}
