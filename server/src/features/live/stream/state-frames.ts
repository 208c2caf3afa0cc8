import type { StreamEventData } from '@pennant/contract/stream.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import {
  maySeeChallenges,
  type AnyStreamKind,
  type Snapshot,
  type Receiver,
  type StreamEntry,
} from '../../contest/kinds/stream-kind.ts'
import type { BoardChanges } from './board-changes.ts'
import { frame } from './frames.ts'
import { maySeeBoard, snapshotFor, phaseAt, summaryOf, type StreamKinds } from './kinds.ts'

/** Events about the state as a whole. They have no position, because the next one or a resume replaces them. */
export interface StateFrames {
  /** What changed since the last call, with these entries up to `seq`; null if nothing did. */
  next(snapshot: Snapshot, entries: readonly StreamEntry[], seq: number): StateChange | null
}

export interface StateChange {
  textFor(receiver: Receiver, snapshot: Snapshot): string
  /** Receivers with the same rights and key get the same text. */
  keyFor(receiver: Receiver, snapshot: Snapshot): string
}

interface StateParts {
  readonly board: BoardChanges
  readonly kinds: StreamKinds
}

export function createStateFrames({ board, kinds }: StateParts, start: Snapshot): StateFrames {
  let phase = phaseAt(start).phase
  let states = stateTexts(kinds, start)
  let lastAt = start.now

  return {
    next(snapshot, entries, seq) {
      const now = phaseAt(snapshot)
      // A moved start is an entry of its own.
      const isLogged = entries.some(({ kind }) => kind === 'settings')
      const crossing = isLogged || now.phase === phase ? '' : frame('phase', now)
      phase = now.phase
      const before = states
      states = stateTexts(kinds, snapshot)
      const stateText = states.filter((text, at) => text !== before[at]).join('')
      const after = lastAt
      lastAt = snapshot.now
      const released = releasedByClock(snapshot, after)
      const clock = clockChanges(kinds, { after, snapshot, entries })
      const { leaderboard, points } = board.next(snapshot.world, { seq, at: snapshot.now }, entries)
      const count = released.length + clock.length
      if (crossing + stateText === '' && count === 0 && !leaderboard && !points) return null
      const boardText = leaderboard ? frame('leaderboard', leaderboard) : ''
      const changes = { released, points: points?.challenges ?? [] }
      return {
        textFor: (receiver, at) =>
          crossing +
          stateText +
          (maySeeBoard(receiver, at) ? boardText : '') +
          (maySeeChallenges(receiver, at)
            ? challengesText(changes, snapshotFor(receiver, at).snapshot.world)
            : '') +
          clockText(clock, receiver, at),
        keyFor: (receiver, at) =>
          clock.map(({ kind, ids }) => kind.clock?.keyFor?.(ids, receiver, at) ?? '').join(' '),
      }
    },
  }
}

/** The current state, one event for each kind. */
export function stateTexts({ states }: StreamKinds, snapshot: Snapshot): string[] {
  return states.map(({ name, data }) => frame(name, data(snapshot)))
}

interface ClockChange {
  readonly kind: AnyStreamKind
  readonly ids: readonly string[]
}

interface Interval {
  readonly after: number
  readonly snapshot: Snapshot
  /** What these name is part of their own events. */
  readonly entries: readonly StreamEntry[]
}

/** What the clock did of each kind. */
export function clockChanges({ events }: StreamKinds, { after, snapshot, entries }: Interval): ClockChange[] {
  return events.flatMap((kind) => {
    const named = new Set(entries.flatMap((entry) => (entry.kind === kind.entryKind ? entry.ids : [])))
    const ids = kind.clock?.since(after, snapshot, named) ?? []
    return ids.length > 0 ? [{ kind, ids }] : []
  })
}

export function clockText(changes: readonly ClockChange[], receiver: Receiver, snapshot: Snapshot): string {
  if (changes.length === 0) return ''
  const visible = snapshotFor(receiver, snapshot).snapshot
  const texts = changes.map(({ kind, ids }) => {
    const data = kind.mayReceive(receiver, snapshot) ? kind.clock?.data(ids, receiver, visible) : null
    return data ? frame(kind.name, data) : ''
  })
  return texts.join('')
}

/** Challenges that the clock released after a time, without an entry in the change log. */
function releasedByClock({ world, now }: Snapshot, after: number): Challenge[] {
  return world
    .publicChallenges()
    .filter(({ releaseAt }) => releaseAt !== null && releaseAt > after && releaseAt <= now)
}

interface ChallengeChanges {
  readonly released: readonly Challenge[]
  readonly points: StreamEventData<'points'>['challenges']
}

/** As far as the receiver's world has them. */
function challengesText({ released, points }: ChallengeChanges, world: WorldView): string {
  const isShown = ({ id }: { readonly id: string }) => world.challenge(id)?.isPublic === true
  const [shown, values] = [released.filter(isShown), points.filter(isShown)]
  const releasedText =
    shown.length > 0
      ? frame('challenges', { released: shown.map(summaryOf), changed: [], withdrawn: [] })
      : ''
  return releasedText + (values.length > 0 ? frame('points', { challenges: values }) : '')
}
