import type { QueryClient } from '@tanstack/react-query'
import { boardQuery, pageSize } from '../../api/queries.ts'
import type { BoardRow } from './use-board.ts'

/** A picture or a sheet of paper is of this moment: older pages are asked for again. */
const FRESH_MS = 30_000

interface Wanted {
  readonly division: string | undefined
  readonly count: number
  /** As a team with the right, before the start. */
  readonly bypass: boolean
}

/** The first rows of the board, page after page. Fails as a query does. */
export async function loadRows(queries: QueryClient, wanted: Wanted): Promise<BoardRow[]> {
  const { division, count, bypass } = wanted
  const rows: BoardRow[] = []
  for (let page = 0; page * pageSize < count; page += 1) {
    const { queryKey, queryFn } = boardQuery({ division, page, bypass })
    const { leaderboard } = await queries.fetchQuery({ queryKey, queryFn, staleTime: FRESH_MS } as ReturnType<
      typeof boardQuery
    >)
    rows.push(...leaderboard)
    if (leaderboard.length < pageSize) break
  }
  return rows.slice(0, count)
}
