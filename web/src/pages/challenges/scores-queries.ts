import { listScores } from '@pennant/contract/scores.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey, pageSize } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

const EVERY_MS = 15_000

/** The teams of a dynamic challenge, best first. */
export function scoresQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [ownKey, 'challenge-scores', id, 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const page = { limit: String(pageSize), offset: String(pageParam) }
      return ask(listScores, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < last.total ? pages.length * pageSize : undefined,
    ...refresh(EVERY_MS),
  })
}

/** The one team at a place, from 1. */
export function scoreAtQuery(id: string, place: number) {
  return queryOptions({
    queryKey: [ownKey, 'challenge-scores', id, 'at', place],
    queryFn: async ({ signal }) => {
      const page = { limit: '1', offset: String(place - 1) }
      const { scores } = await ask(listScores, { params: { id }, query: page }, { signal, asTeam: true })
      return scores[0] ?? null
    },
    ...refresh(EVERY_MS),
  })
}
