import type { StreamEventData } from '@pennant/contract/stream.ts'
import type { AnnouncementRow } from '../../news/announcements/rows.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { announcementFrame, publishedSince, scheduledPart } from './announcement-frames.ts'
import type { BoardChanges } from './board-changes.ts'
import { nextWave } from '../../news/waves/rules.ts'
import { frame } from './frames.ts'
import { hintFrame, hintsReleasedSince } from './hint-frames.ts'
import {
  maySeeBoard,
  maySeeChallenges,
  momentFor,
  phaseAt,
  summaryOf,
  type Moment,
  type Receiver,
} from './kinds.ts'
import type { WindowEntry } from './log-window.ts'

/** Events about the state as a whole. They have no position, because the next one or a resume replaces them. */
export interface StateFrames {
  /** What changed since the last call, with these entries up to `seq`; null if nothing did. */
  next(moment: Moment, entries: readonly WindowEntry[], seq: number): StateChange | null
}

export interface StateChange {
  textFor(receiver: Receiver, moment: Moment): string
  /** Receivers with the same rights and key get the same text. */
  keyFor(receiver: Receiver, moment: Moment): string
}

export function createStateFrames(board: BoardChanges, start: Moment): StateFrames {
  let phase = phaseAt(start).phase
  let wave = waveFrame(start)
  let lastAt = start.now

  return {
    next(moment, entries, seq) {
      const now = phaseAt(moment)
      // A moved start is an entry of its own.
      const isLogged = entries.some(({ kind }) => kind === 'settings')
      const crossing = isLogged || now.phase === phase ? '' : frame('phase', now)
      phase = now.phase
      const waveNow = waveFrame(moment)
      const waveText = waveNow === wave ? '' : waveNow
      wave = waveNow
      const after = lastAt
      lastAt = moment.now
      const released = releasedByClock(moment, after)
      const scheduled = withoutNamed(publishedSince(after, moment), entries)
      const hinted = hintsReleasedSince(after, moment, namedIn(entries, 'hints'))
      const { leaderboard, points } = board.next(moment.world, { seq, at: moment.now }, entries)
      const count = released.length + hinted.length + scheduled.length
      if (crossing + waveText === '' && count === 0 && !leaderboard && !points) return null
      const boardText = leaderboard ? frame('leaderboard', leaderboard) : ''
      const changes = { released, hinted, points: points?.challenges ?? [] }
      return {
        textFor: (receiver, at) =>
          crossing +
          waveText +
          (maySeeBoard(receiver, at) ? boardText : '') +
          (maySeeChallenges(receiver, at)
            ? challengesText(changes, momentFor(receiver, at).moment.world)
            : '') +
          announcementFrame(scheduledPart(scheduled, receiver, at)),
        keyFor: (receiver, at) => scheduledPart(scheduled, receiver, at).key,
      }
    },
  }
}

/** Sent when it differs, whatever was edited: waves that are not announced must not be noticed. */
export function waveFrame({ world, now }: Moment): string {
  return frame('wave', { next: nextWave(world, now) })
}

/** Without those that entries of the same batch publish. */
function withoutNamed(rows: AnnouncementRow[], entries: readonly WindowEntry[]): AnnouncementRow[] {
  if (rows.length === 0) return rows
  const named = namedIn(entries, 'announcements')
  return rows.filter(({ id }) => !named.has(id))
}

function namedIn(entries: readonly WindowEntry[], kind: 'announcements' | 'hints'): Set<string> {
  return new Set(entries.flatMap((entry) => (entry.kind === kind ? entry.ids : [])))
}

/** Challenges that the clock released after a moment, without an entry in the change log. */
function releasedByClock({ world, now }: Moment, after: number): Challenge[] {
  return world
    .publicChallenges()
    .filter(({ releaseAt }) => releaseAt !== null && releaseAt > after && releaseAt <= now)
}

interface ChallengeChanges {
  readonly released: readonly Challenge[]
  /** Ids of challenges with a new hint. */
  readonly hinted: readonly string[]
  readonly points: StreamEventData<'points'>['challenges']
}

/** As far as the receiver's world has them. */
function challengesText({ released, hinted, points }: ChallengeChanges, world: WorldView): string {
  const isShown = ({ id }: { readonly id: string }) => world.challenge(id)?.isPublic === true
  const [shown, values] = [released.filter(isShown), points.filter(isShown)]
  const releasedText =
    shown.length > 0
      ? frame('challenges', { released: shown.map(summaryOf), changed: [], withdrawn: [] })
      : ''
  const hintText = hintFrame(hinted, world)
  return releasedText + hintText + (values.length > 0 ? frame('points', { challenges: values }) : '')
}
