import type { LogPosition, WorldView } from '../../world/model.ts'
import { announcementFrame, publishedSince, scheduledPart } from './announcement-frames.ts'
import type { BoardChanges } from './board-changes.ts'
import { hintFrame, hintsReleasedSince } from './hint-frames.ts'
import { frame, OPENING, parsePosition } from './frames.ts'
import {
  isHiding,
  maySeeBoard,
  maySeeChallenges,
  momentFor,
  ownStanding,
  phaseAt,
  summaryOf,
  type Moment,
  type Receiver,
} from './kinds.ts'
import { PUBLIC_KINDS, type LogWindow, type WindowEntry } from './log-window.ts'
import { condensedOf, createRenderer } from './render.ts'

interface OpeningDeps {
  readonly window: LogWindow
  readonly board: Pick<BoardChanges, 'leaderboardSince' | 'pointsSince'>
  readonly momentNow: () => Moment
}

/** The last part of what a connection gets first, and the position that it leads to. */
export interface Opening {
  readonly text: string
  readonly seq: number
  readonly shownSeq: number
}

export interface OpeningRequest {
  readonly receiverAt: (moment: Moment) => Receiver
  /** The header of that name, or undefined for a client that has read nothing yet. */
  readonly lastEventId: string | undefined
  /** A response that ends, for a client that polls: bounded, and without most solves if there are many. */
  readonly isPolled?: boolean
}

const NONE: ReadonlySet<number> = new Set()

/** Entries in one response. Rendering them takes some milliseconds. */
const MAX_POLLED = 1000

/** Characters of a piece, except that an event is never divided. */
const PIECE_LENGTH = 64 * 1024

/**
 * What a connection gets first. A client may have missed megabytes, so they are rendered in pieces, each as of the moment in which it is
 * requested.
 */
export function* openingFor(deps: OpeningDeps, request: OpeningRequest): Generator<string, Opening> {
  const { window, momentNow } = deps
  const { receiverAt, lastEventId } = request
  const moment = momentNow()
  const hello = { now: Math.round(moment.now), ...phaseAt(moment) }
  if (lastEventId === undefined) {
    const text = OPENING + frame('hello', hello, shownLatest(window, moment))
    return latestOf(window, text + ownFrame(receiverAt(moment), moment))
  }
  const known = parsePosition(lastEventId)
  const start = OPENING + frame('hello', hello)
  if (!known) return latestOf(window, start + resyncFrames(deps, request))
  return yield* missedSince(known, start, { ...deps, ...request })
}

/** The entries after a position that may be known. The last one comes with the state, so that a client has both or neither. */
function* missedSince(
  known: LogPosition,
  start: string,
  deps: OpeningDeps & OpeningRequest,
): Generator<string, Opening> {
  const { window, momentNow, receiverAt, isPolled = false } = deps
  let text = start
  /** The state has been sent as of this position. */
  let since = known
  let at = known
  let shownSeq = known.seq
  let isLast = false
  for (;;) {
    const moment = momentNow()
    const receiver = receiverAt(moment)
    const entries = window.after(at)
    if (!entries || (isPolled && isTooMuch(entries, moment)))
      return latestOf(window, text + resyncFrames(deps, deps))
    const renderer = createRenderer(moment, isPolled ? condensedOf(entries) : NONE)
    let missed = ''
    for (const entry of entries) {
      if (missed.length >= PIECE_LENGTH) break
      const rendered = renderer.of([entry], receiver)
      missed += rendered.text
      shownSeq = rendered.shownSeq ?? shownSeq
      at = entry
    }
    const isBehind = at.seq !== (entries.at(-1) ?? at).seq
    if (!isBehind) text += stateSince(since, at !== since, { ...deps, moment, receiver })
    text += missed
    if (!isBehind && (isLast || text.length < PIECE_LENGTH)) {
      return { text: text + ownFrame(receiver, moment), seq: window.latest().seq, shownSeq }
    }
    isLast = !isBehind
    if (isLast) since = at
    yield text
    text = ''
  }
}

/** Does not count what a freeze hides: clients could tell from it how much happens. */
function isTooMuch(entries: readonly WindowEntry[], moment: Moment): boolean {
  if (entries.length <= MAX_POLLED) return false
  const until = isHiding(moment) ? (moment.world.frozenAt ?? Infinity) : Infinity
  const shown = entries.filter(({ kind, mark }) => PUBLIC_KINDS.has(kind) || Number(mark) * 1000 < until)
  return shown.length > MAX_POLLED
}

interface StateDeps extends OpeningDeps {
  readonly moment: Moment
  readonly receiver: Receiver
}

function stateSince(since: LogPosition, hasMissed: boolean, { board, moment, receiver }: StateDeps): string {
  const state = hasMissed || isHiding(moment) ? stateFrames(since, board, { moment, receiver }) : ''
  return state + releasedSince(since, receiver, moment) + announcedSince(since, receiver, moment)
}

function shownLatest(window: LogWindow, moment: Moment): LogPosition {
  return isHiding(moment) ? window.latestPublic() : window.latest()
}

function latestOf(window: LogWindow, text: string): Opening {
  const { seq } = window.latest()
  return { text, seq, shownSeq: seq }
}

function resyncFrames({ window, momentNow }: OpeningDeps, { receiverAt }: OpeningRequest): string {
  const moment = momentNow()
  return frame('resync', {}, shownLatest(window, moment)) + ownFrame(receiverAt(moment), moment)
}

function ownFrame({ teamId }: Receiver, moment: Moment): string {
  const standing = teamId === null ? null : ownStanding(teamId, moment)
  return standing ? frame('team', standing) : ''
}

function stateFrames(
  { seq }: LogPosition,
  board: OpeningDeps['board'],
  { moment, receiver }: Pick<StateDeps, 'moment' | 'receiver'>,
): string {
  const boardText = maySeeBoard(receiver, moment)
    ? frame('leaderboard', board.leaderboardSince(moment.world, seq))
    : ''
  if (!maySeeChallenges(receiver, moment)) return boardText
  const points = board.pointsSince(momentFor(receiver, moment).moment.world, seq)
  return boardText + (points.challenges.length > 0 ? frame('points', points) : '')
}

/** Scheduled releases of challenges and hints write no entry to the change log: those after the time of the client's position. */
function releasedSince({ mark }: LogPosition, receiver: Receiver, moment: Moment): string {
  if (!maySeeChallenges(receiver, moment)) return ''
  const since = Number(mark ?? 0) * 1000
  const released = releasedAfter(momentFor(receiver, moment).moment.world, since)
  const releasedText =
    released.length > 0 ? frame('challenges', { released, changed: [], withdrawn: [] }) : ''
  const { world } = momentFor(receiver, moment).moment
  return releasedText + hintFrame(hintsReleasedSince(since, { world, now: moment.now }), world)
}

/** The same for announcements. */
function announcedSince({ mark }: LogPosition, receiver: Receiver, moment: Moment): string {
  const scheduled = publishedSince(Number(mark ?? 0) * 1000, moment)
  return announcementFrame(scheduledPart(scheduled, receiver, moment))
}

function releasedAfter(world: WorldView, since: number) {
  return world
    .publicChallenges()
    .filter(({ releaseAt }) => releaseAt !== null && releaseAt > since)
    .map(summaryOf)
}
