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
import type { LogWindow } from './log-window.ts'
import { createRenderer } from './render.ts'

interface OpeningDeps {
  readonly window: LogWindow
  readonly board: Pick<BoardChanges, 'whole'>
}

/** The first events of a connection, and the position that they lead to. */
export interface Opening {
  readonly text: string
  readonly seq: number
  readonly shownSeq: number
}

/** `lastEventId`: the header of that name, or undefined for a client that has read nothing yet. */
export function openingFor(
  { window, board }: OpeningDeps,
  moment: Moment,
  { receiver, lastEventId }: { readonly receiver: Receiver; readonly lastEventId: string | undefined },
): Opening {
  const latest = window.latest()
  const shownLatest = isHiding(moment) ? window.latestPublic() : latest
  const hello = { now: Math.round(moment.now), ...phaseAt(moment) }
  const own = ownFrame(receiver, moment)
  if (lastEventId === undefined) {
    return { text: OPENING + frame('hello', hello, shownLatest) + own, seq: latest.seq, shownSeq: latest.seq }
  }
  const start = OPENING + frame('hello', hello)
  const known = parsePosition(lastEventId)
  const entries = known && window.after(known)
  if (!known || !entries) {
    return { text: start + frame('resync', {}, shownLatest) + own, seq: latest.seq, shownSeq: latest.seq }
  }
  const missed = createRenderer(moment).of(entries, receiver)
  const text =
    start + missed.text + (entries.length > 0 || isHiding(moment) ? stateFrames(board, receiver, moment) : '')
  return {
    text: text + releasedSince(known, receiver, moment) + announcedSince(known, receiver, moment) + own,
    seq: latest.seq,
    shownSeq: missed.shownSeq ?? known.seq,
  }
}

function ownFrame({ teamId }: Receiver, moment: Moment): string {
  const standing = teamId === null ? null : ownStanding(teamId, moment)
  return standing ? frame('team', standing) : ''
}

function stateFrames(board: OpeningDeps['board'], receiver: Receiver, moment: Moment): string {
  const { world } = momentFor(receiver, moment).moment
  const { leaderboard } = board.whole(moment.world)
  const { points } = board.whole(world)
  return (
    (maySeeBoard(receiver, moment) ? frame('leaderboard', leaderboard) : '') +
    (maySeeChallenges(receiver, moment) ? frame('points', points) : '')
  )
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
