import { withRoom } from './columns.ts'
import type { FeedBuckets } from './graph-types.ts'
import type { FeedEvent, FeedRow } from './model.ts'

/** A team's score on a dynamic challenge, as its row has it. */
export type FeedScore = Pick<FeedRow, 'points' | 'scoredAt' | 'delta' | 'tickAt'>

/** What the backend of one challenge pushed. A push is added in place: a long event has millions of them. */
export interface Feed {
  /** By team slot; never a score of zero. */
  readonly scores: Map<number, FeedScore>
  /** The pushes that moved teams, in columns: the first `length` entries, in the order in which they came. */
  length: number
  team: Int32Array
  at: Float64Array
  delta: Float64Array
  /** By team slot: the instant of its latest event. */
  readonly latest: Map<number, number>
  /** The latest tick: the instant of the latest event of all. */
  tickAt: number | null
  /** All events up to this id are known; null when some are not, and the whole feed must be read again. */
  lastEventId: number | null
  /** Kept part of the graph. */
  buckets: FeedBuckets | null
}

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
    buckets: null,
  }
}

/** Leaves out rows and events of unknown teams, and remembers that it did. */
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

/** Adds an event whose score the rows have. */
export function loadEvent(feed: Feed, team: number, event: Omit<FeedEvent, 'teamId' | 'challengeId'>): void {
  record(feed, team, event)
  if (feed.lastEventId !== null) feed.lastEventId = Math.max(feed.lastEventId, event.id)
}

/**
 * Adds later events, in the order of their ids, and brings the scores on with them. Returns whose they were. Events that
 * are known are passed over.
 */
export function addEvents(feed: Feed, slots: Slots, events: readonly FeedEvent[]): Set<number> {
  const moved = new Set<number>()
  const { lastEventId } = feed
  // It will be read as a whole.
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

/** As the push wrote the row: cleared at zero, dated anew by the first score after that. */
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

/** The feed as if the team had never been in it. */
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

/** The team's change in the latest tick, or null when it had none in it. */
export function latestDelta(feed: Feed, score: FeedScore): number | null {
  return score.tickAt === feed.tickAt ? score.delta : null
}

/** Slots of the teams whose score is of one of the ticks. */
export function teamsAt(feed: Feed, ...ticks: readonly (number | null)[]): number[] {
  const teams: number[] = []
  for (const [team, { tickAt }] of feed.scores) if (ticks.includes(tickAt)) teams.push(team)
  return teams
}

/** Whether both tell the same, of everything. */
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
