import { groupBy } from '../lib/group-by.ts'
import type { Entry } from './challenges.ts'
import { addEvents, createFeed, isSameFeed, teamsAt, teamsOf } from './feed.ts'
import type { Change, FeedEvent } from './model.ts'
import { standAfter, standAgain } from './standings.ts'
import { raise, raiseTeam, type State } from './state.ts'

type FeedChange = Extract<Change, { readonly kind: 'feed' }>

export function foldFeed(state: State, change: FeedChange): void {
  const moved = loadFeed(state, change)
  if (moved.size === 0) return
  for (const team of moved) raiseTeam(state, team)
  standAgain(state)
  raise(state, 'board')
}

/** Replaces the feeds of the named challenges; returns whom that concerns. */
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

/** Adds what was pushed: the work is that of the push, however long the history. */
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
    // Whoever was in the tick before has no change any more.
    if (feed.tickAt !== tickAt) for (const team of teamsAt(feed, tickAt)) raiseTeam(state, team)
  }
  if (entries.size === 0) return
  for (const team of moved) raiseTeam(state, team)
  standAfter(state, entries, moved)
  raise(state, 'board')
}
