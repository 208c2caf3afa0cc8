import { withRoom } from '../columns.ts'
import type { FeedEvent, FeedRow } from '../model.ts'
import type { Feed, FeedScore } from '../state.ts'

// The feed of one challenge. `addEvents` and `loadEvent` apply in place.

type Slots = ReadonlyMap<string, number>

export function emptyFeed(): Feed {
  return {
    scores: new Map(),
    length: 0,
    team: new Int32Array(0),
    at: new Float64Array(0),
    delta: new Float64Array(0),
    latest: new Map(),
    tickAt: null,
    lastEventId: 0,
    buckets: [],
  }
}

/** Rows and events of unknown teams are left out; then `lastEventId` is null. */
export function createFeed(slots: Slots, rows: readonly FeedRow[], events: readonly FeedEvent[]): Feed {
  const feed = emptyFeed()
  let isWhole = true
  for (const { teamId, points, scoredAt, delta, tickAt } of rows) {
    const team = slots.get(teamId)
    if (team === undefined) isWhole = false
    else if (points !== 0) feed.scores.set(team, { points, scoredAt, delta, tickAt })
  }
  reserveEvents(feed, events.length)
  let lastEventId = 0
  for (const { id, teamId, at, delta } of events) {
    lastEventId = Math.max(lastEventId, id)
    const team = slots.get(teamId)
    if (team === undefined) isWhole = false
    else record(feed, team, { at, delta })
  }
  feed.lastEventId = isWhole ? lastEventId : null
  return feed
}

/** Adds an event without changing scores: the rows already include it. */
export function loadEvent(feed: Feed, team: number, event: Omit<FeedEvent, 'teamId' | 'challengeId'>): void {
  record(feed, team, event)
  if (feed.lastEventId !== null) feed.lastEventId = Math.max(feed.lastEventId, event.id)
}

/**
 * Appends later events, which must be in id order, and updates the scores. Skips known events. Returns the teams of the
 * new ones.
 */
export function addEvents(feed: Feed, slots: Slots, events: readonly FeedEvent[]): Set<number> {
  const moved = new Set<number>()
  const { lastEventId } = feed
  // The whole feed will be read again.
  if (lastEventId === null) return moved
  let isWhole = true
  for (const { id, teamId, at, delta } of events) {
    if (id <= lastEventId) continue
    feed.lastEventId = id
    const team = slots.get(teamId)
    if (team === undefined) {
      isWhole = false
      continue
    }
    record(feed, team, { at, delta })
    moveScore(feed, team, { at, delta })
    moved.add(team)
  }
  if (!isWhole) feed.lastEventId = null
  return moved
}

/**
 * A copy without the events after a time. Points that no event explains, because events were deleted, count from the time of
 * their row.
 */
export function feedUntil(feed: Feed, until: number): Feed {
  const past: Feed = { ...emptyFeed(), lastEventId: feed.lastEventId }
  const explained = new Map<number, number>()
  for (let index = 0; index < feed.length; index += 1) {
    const team = feed.team[index] as number
    explained.set(team, (explained.get(team) ?? 0) + (feed.delta[index] as number))
  }
  for (const [team, score] of feed.scores) {
    const points = score.points - (explained.get(team) ?? 0)
    const tickAt = score.tickAt > until ? score.scoredAt : score.tickAt
    if (points !== 0 && score.scoredAt <= until) past.scores.set(team, { ...score, points, tickAt })
  }
  reserveEvents(past, feed.length)
  for (let index = 0; index < feed.length; index += 1) {
    const push = { at: feed.at[index] as number, delta: feed.delta[index] as number }
    if (push.at > until) continue
    record(past, feed.team[index] as number, push)
    moveScore(past, feed.team[index] as number, push)
  }
  return past
}

type Push = Pick<FeedEvent, 'at' | 'delta'>

function record(feed: Feed, team: number, { at, delta }: Push): void {
  const index = feed.length
  reserveEvents(feed, index + 1)
  feed.team[index] = team
  feed.at[index] = at
  feed.delta[index] = delta
  feed.length = index + 1
  feed.latest.set(team, Math.max(feed.latest.get(team) ?? at, at))
  feed.tickAt = Math.max(feed.tickAt ?? at, at)
}

function reserveEvents(feed: Feed, length: number): void {
  feed.team = withRoom(feed.team, length)
  feed.at = withRoom(feed.at, length)
  feed.delta = withRoom(feed.delta, length)
}

/** As in the table: a score of zero deletes the row, and the first score after that sets a new `scoredAt`. */
function moveScore({ scores }: Feed, team: number, { at, delta }: Push): void {
  const old = scores.get(team)
  const points = (old?.points ?? 0) + delta
  if (points === 0) scores.delete(team)
  else scores.set(team, { points, scoredAt: old?.scoredAt ?? at, delta, tickAt: at })
}

export function hasFeed(feed: Feed, team: number): boolean {
  return feed.scores.has(team) || feed.latest.has(team)
}

export function teamsOf(feed: Feed): Set<number> {
  return new Set([...feed.scores.keys(), ...feed.latest.keys()])
}

/** A copy without the team's scores and events, or the feed itself if there are none. */
export function withoutTeam(feed: Feed, team: number): Feed {
  if (!hasFeed(feed, team)) return feed
  const rest: Feed = { ...emptyFeed(), scores: new Map(feed.scores), lastEventId: feed.lastEventId }
  rest.scores.delete(team)
  reserveEvents(rest, feed.length)
  for (let index = 0; index < feed.length; index += 1) {
    const other = feed.team[index] as number
    if (other !== team) record(rest, other, { at: feed.at[index] ?? 0, delta: feed.delta[index] ?? 0 })
  }
  return rest
}

/** Slots of the teams whose score last changed at the given tick. */
export function teamsAt(feed: Feed, tick: number | null): number[] {
  const teams: number[] = []
  for (const [team, { tickAt }] of feed.scores) if (tickAt === tick) teams.push(team)
  return teams
}

export function isSameFeed(a: Feed, b: Feed): boolean {
  if (a.length !== b.length || a.scores.size !== b.scores.size) return false
  for (let index = 0; index < a.length; index += 1) {
    if (a.team[index] !== b.team[index] || a.at[index] !== b.at[index]) return false
    if (a.delta[index] !== b.delta[index]) return false
  }
  for (const [team, score] of a.scores) if (!isSameScore(score, b.scores.get(team))) return false
  return true
}

function isSameScore(a: FeedScore, b: FeedScore | undefined): boolean {
  return (
    b !== undefined &&
    a.points === b.points &&
    a.scoredAt === b.scoredAt &&
    a.delta === b.delta &&
    a.tickAt === b.tickAt
  )
}
