import type { LogPosition, WorldView } from '../../../world/model.ts'
import { maySeeChallenges, type Snapshot, type Receiver } from '../../contest/kinds/stream-kind.ts'
import type { BoardChanges } from './board-changes.ts'
import { frame, OPENING, type EventIds, type StreamPosition } from './frames.ts'
import { maySeeBoard, snapshotFor, ownStanding, phaseAt, summaryOf, type StreamKinds } from './kinds.ts'
import type { LogWindow } from './log-window.ts'
import { condensedOf, createRenderer } from './render.ts'
import { boardFor, clockChanges, clockText, stateTexts, textsFor } from './state-frames.ts'

interface OpeningDeps {
  readonly window: LogWindow
  readonly ids: EventIds
  readonly board: Pick<BoardChanges, 'since'>
  readonly kinds: StreamKinds
  readonly currentSnapshot: () => Snapshot
}

/** The last part of what a connection gets first, and the position that it leads to. */
export interface Opening {
  readonly text: string
  readonly seq: number
}

export interface OpeningRequest {
  readonly receiverAt: (snapshot: Snapshot) => Receiver
  /** The header of that name, or undefined for a client that has read nothing yet. */
  readonly lastEventId: string | undefined
  /** A response that ends, for a client that polls: bounded, and without most solves if there are many. */
  readonly isPolled?: boolean
}

const NONE: ReadonlySet<number> = new Set()

/** Events in one response. Rendering them takes a few milliseconds. */
const MAX_POLLED = 1000

/** Characters of a piece, except that an event is never divided. */
const PIECE_LENGTH = 64 * 1024

/**
 * What a connection gets first. A client may have missed megabytes, so they are rendered in pieces, each as of the snapshot in which it is
 * requested.
 */
export function* openingFor(deps: OpeningDeps, request: OpeningRequest): Generator<string, Opening> {
  const { window, ids, currentSnapshot } = deps
  const { receiverAt, lastEventId } = request
  const snapshot = currentSnapshot()
  const hello = { now: Math.round(snapshot.now), ...phaseAt(snapshot) }
  if (lastEventId === undefined) {
    const text = OPENING + frame('hello', hello, latestId(deps, snapshot))
    return latestOf(window, text + ownFrame(receiverAt(snapshot), snapshot))
  }
  const known = ids.parse(lastEventId)
  const start = OPENING + frame('hello', hello)
  if (!known) return latestOf(window, start + resyncFrames(deps, request))
  return yield* missedSince(known, start, { ...deps, ...request })
}

/** The entries after a position that may be known. The last one comes with the state, so that a client has both or neither. */
function* missedSince(
  known: StreamPosition,
  start: string,
  deps: OpeningDeps & OpeningRequest,
): Generator<string, Opening> {
  const { window, ids, kinds, currentSnapshot, receiverAt, isPolled = false } = deps
  let text = start
  /** The state has been sent as of this position. */
  let since = known
  let at: LogPosition = known
  let isLast = false
  let count = 0
  const pieceLength = isPolled ? Infinity : PIECE_LENGTH
  for (;;) {
    const snapshot = currentSnapshot()
    const receiver = receiverAt(snapshot)
    const entries = window.after(at)
    if (!entries) return latestOf(window, text + resyncFrames(deps, deps))
    const condensed = isPolled ? condensedOf(entries) : NONE
    const renderer = createRenderer(snapshot, { kinds: kinds.events, ids, condensed })
    let missed = ''
    for (const entry of entries) {
      if (missed.length >= pieceLength || (isPolled && count > MAX_POLLED)) break
      const rendered = renderer.of([entry], receiver)
      missed += rendered
      at = entry
      if (rendered !== '') count += 1
    }
    if (isPolled && count > MAX_POLLED) return latestOf(window, start + resyncFrames(deps, deps))
    const isBehind = at.seq !== (entries.at(-1) ?? at).seq
    if (!isBehind) text += stateSince(since, { ...deps, snapshot, receiver })
    text += missed
    if (!isBehind && (isLast || text.length < pieceLength)) {
      return latestOf(window, text + ownFrame(receiver, snapshot))
    }
    isLast = !isBehind
    if (isLast) since = { ...at, at: snapshot.now }
    yield text
    text = ''
  }
}

interface StateDeps extends OpeningDeps {
  readonly snapshot: Snapshot
  readonly receiver: Receiver
}

function stateSince(since: StreamPosition, { board, kinds, snapshot, receiver }: StateDeps): string {
  const clock = clockChanges(kinds, { after: since.at, snapshot, entries: [] })
  return (
    stateFrames(since, board, { snapshot, receiver }) +
    textsFor(stateTexts(kinds, snapshot), receiver, snapshot) +
    releasedSince(since, receiver, snapshot) +
    clockText(clock, receiver, snapshot)
  )
}

function latestId({ window, ids }: Pick<OpeningDeps, 'window' | 'ids'>, { now }: Snapshot): string {
  return ids.of({ ...window.latest(), at: now })
}

function latestOf(window: LogWindow, text: string): Opening {
  return { text, seq: window.latest().seq }
}

function resyncFrames(deps: OpeningDeps, { receiverAt }: OpeningRequest): string {
  const snapshot = deps.currentSnapshot()
  return frame('resync', {}, latestId(deps, snapshot)) + ownFrame(receiverAt(snapshot), snapshot)
}

function ownFrame(receiver: Receiver, snapshot: Snapshot): string {
  const standing = receiver.teamId === null ? null : ownStanding(receiver, snapshot)
  return standing ? frame('team', standing) : ''
}

function stateFrames(
  since: StreamPosition,
  board: OpeningDeps['board'],
  { snapshot, receiver }: Pick<StateDeps, 'snapshot' | 'receiver'>,
): string {
  const { leaderboard } = board.since(snapshot.world, since)
  const boardText =
    leaderboard && maySeeBoard(receiver, snapshot)
      ? frame('leaderboard', boardFor(leaderboard, receiver, snapshot))
      : ''
  if (!maySeeChallenges(receiver, snapshot)) return boardText
  const { points } = board.since(snapshotFor(receiver, snapshot).snapshot.world, since)
  return boardText + (points ? frame('points', points) : '')
}

/** Scheduled releases write no entry to the change log. */
function releasedSince({ at: since }: StreamPosition, receiver: Receiver, snapshot: Snapshot): string {
  if (!maySeeChallenges(receiver, snapshot)) return ''
  const released = releasedAfter(snapshotFor(receiver, snapshot).snapshot.world, since)
  return released.length > 0 ? frame('challenges', { released, changed: [], withdrawn: [] }) : ''
}

function releasedAfter(world: WorldView, since: number) {
  return world
    .publicChallenges()
    .filter(({ releaseAt }) => releaseAt !== null && releaseAt > since)
    .map(summaryOf)
}
