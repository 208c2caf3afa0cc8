import { loadEvent, type Feed } from './feed.ts'
import type { FeedColumns } from './model.ts'
import type { State } from './state.ts'

/** Adds events to the feeds, whose rows are there. */
export function loadFeedColumns({ teams, challenges }: State, chunks: readonly FeedColumns[]): void {
  // Arrays by number, as for solves.
  const slots: number[] = []
  for (const [slot, row] of teams.rows.entries()) if (row?.n !== undefined) slots[row.n] = slot
  const feeds: Feed[] = []
  for (const { row, feed } of challenges.byId.values()) if (row.n !== undefined) feeds[row.n] = feed
  for (const { length, teamNumbers, challengeNumbers, ids, at, delta } of chunks) {
    for (let index = 0; index < length; index += 1) {
      const team = slots[teamNumbers[index] as number]
      const feed = feeds[challengeNumbers[index] as number]
      if (team === undefined || !feed) continue
      const event = { id: ids[index] as number, at: at[index] as number, delta: delta[index] as number }
      loadEvent(feed, team, event)
    }
  }
}
