import type { QueryClient } from '@tanstack/react-query'
import { boardQuery, PAGE_SIZE } from '../../../api/queries.ts'
import type { BoardRow } from '../use-board.ts'

/** Images and printouts must be current, so older cached pages are refetched. */
const FRESH_MS = 30_000

interface Wanted {
  readonly division: string | undefined
  readonly track: string | undefined
  readonly count: number
  /** Requests the scoreboard before the start, for teams with the permission. */
  readonly bypass: boolean
}

/** Loads the first rows of the scoreboard page by page. Throws the same errors as a query. */
export async function loadRows(queries: QueryClient, wanted: Wanted): Promise<BoardRow[]> {
  const { division, track, count, bypass } = wanted
  const rows: BoardRow[] = []
  for (let page = 0; page * PAGE_SIZE < count; page += 1) {
    const { queryKey, queryFn } = boardQuery({ division, track, page, bypass })
    const { leaderboard } = await queries.fetchQuery({ queryKey, queryFn, staleTime: FRESH_MS } as ReturnType<
      typeof boardQuery
    >)
    rows.push(...leaderboard)
    if (leaderboard.length < PAGE_SIZE) break
  }
  return rows.slice(0, count)
}
