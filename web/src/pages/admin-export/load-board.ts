import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { ask } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { pageSize } from '../../api/queries.ts'
import type { BoardRow } from './board-csv.ts'

/** Rows of one file. */
export const MOST_ROWS = 100_000
/** What the server gives at once unless the deployment set less. */
const LARGE_PAGE = 100

interface LoadOptions {
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Every ranked team. Throws `RequestFailure`, and what an abort throws. */
export async function loadBoard({ onProgress, signal }: LoadOptions): Promise<BoardRow[]> {
  // By team: places may change between two pages, and a team stand on both.
  const rows = new Map<string, BoardRow>()
  let limit = LARGE_PAGE
  for (let offset = 0; offset < MOST_ROWS; offset += limit) {
    let page
    try {
      page = await pageOf({ limit, offset, signal })
    } catch (error) {
      const isTooMuch = error instanceof RequestFailure && error.kind === 'badBody' && limit !== pageSize
      if (!isTooMuch) throw error
      limit = pageSize
      page = await pageOf({ limit, offset, signal })
    }
    for (const row of page.leaderboard) rows.set(row.id, row)
    onProgress(rows.size, Math.min(page.total, MOST_ROWS))
    if (page.leaderboard.length < limit) break
  }
  return Array.from(rows.values())
}

interface PageOptions {
  readonly limit: number
  readonly offset: number
  readonly signal: AbortSignal
}

function pageOf({ limit, offset, signal }: PageOptions) {
  // With the token: before the start it opens the board.
  const query = { limit: String(limit), offset: String(offset) }
  return ask(getLeaderboardV2, { query }, { signal, asTeam: true })
}
