import { groupBy } from '../../lib/group-by.ts'
import type { FeedColumns } from '../bulk-columns.ts'
import type { Change, FeedEvent } from '../model.ts'
import { recomputeStandings, updateStandings } from '../standings.ts'
import { bumpBoard, bumpTeamVersion, type Entry, type Feed, type State } from '../state.ts'
import { addEvents, createFeed, isSameFeed, loadEvent, teamsAt, teamsOf } from './feed.ts'

type FeedChange = Extract<Change, { readonly kind: 'feed' }>

/** Replaces whole feeds in place. */
export function foldFeed(state: State, change: FeedChange): void {
  const moved = loadFeed(state, change)
  if (moved.size === 0) return
  recomputeStandings(state)
  const { byId } = state.challenges
  const isShown = change.challengeIds.some((id) => byId.get(id)?.isPublic)
  bumpBoard(state, moved, isShown)
}

/** Replaces the feeds of the named challenges in place. Returns the teams whose scores may have changed. */
export function loadFeed(
  state: State,
  { challengeIds, rows, events }: Omit<FeedChange, 'kind'>,
): Set<number> {
  const moved = new Set<number>()
  const rowsOf = groupBy(rows, ({ challengeId }) => challengeId)
  const eventsOf = groupBy(events, ({ challengeId }) => challengeId)
  for (const id of challengeIds) {
    const entry = state.challenges.byId.get(id)
    if (!entry) continue
    const before = entry.feed
    entry.feed = createFeed(state.teams.slots, rowsOf.get(id) ?? [], eventsOf.get(id) ?? [])
    if (isSameFeed(before, entry.feed)) continue
    for (const feed of [before, entry.feed]) for (const team of teamsOf(feed)) moved.add(team)
  }
  return moved
}

/** Adds events in bulk, in place. Their scores are in the rows, which must be loaded first. */
export function loadFeedColumns({ teams, challenges }: State, chunks: readonly FeedColumns[]): void {
  // Arrays indexed by number, as in `load-solves.ts`.
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

/** Appends new events in place. The cost depends on the number of new events, not on the length of the feed. */
export function foldPushes(state: State, events: readonly FeedEvent[]): void {
  const entries = new Set<Entry>()
  const moved = new Set<number>()
  for (const [id, own] of groupBy(events, ({ challengeId }) => challengeId)) {
    const entry = state.challenges.byId.get(id)
    if (!entry) continue
    const { feed } = entry
    const { tickAt } = feed
    const pushed = addEvents(feed, state.teams.slots, own)
    if (pushed.size === 0) continue
    entries.add(entry)
    for (const team of pushed) moved.add(team)
    // Teams of the previous tick have no delta any more.
    if (feed.tickAt !== tickAt) for (const team of teamsAt(feed, tickAt)) bumpTeamVersion(state, team)
  }
  if (entries.size === 0) return
  updateStandings(state, entries, moved)
  const isShown = [...entries].some(({ isPublic }) => isPublic)
  bumpBoard(state, moved, isShown)
}
