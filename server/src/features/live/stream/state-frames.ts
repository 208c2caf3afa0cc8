import type { StreamEventData } from '@pennant/contract/stream.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { VisiblePart } from '@pennant/contract/visibility.ts'
import {
  isOpenTo,
  maySeeChallenges,
  type AnyStreamKind,
  type Snapshot,
  type Receiver,
  type StreamEntry,
} from '../../contest/kinds/stream-kind.ts'
import type { BoardChanges } from './board-changes.ts'
import { wholeBoard, valueOf } from './board-changes.ts'
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
  const boards = createBoardTexts()

  return {
    next(snapshot, entries, seq) {
      const now = phaseAt(snapshot)
      // A moved start is an entry of its own.
      const isLogged = entries.some(({ kind }) => kind === 'settings')
      const crossing = isLogged || now.phase === phase ? '' : frame('phase', now)
      phase = now.phase
      const before = states
      states = stateTexts(kinds, snapshot)
      const changed = states.filter(({ text }, at) => text !== before[at]?.text)
      const after = lastAt
      lastAt = snapshot.now
      const released = releasedByClock(snapshot, after)
      const clock = clockChanges(kinds, { after, snapshot, entries })
      const { leaderboard, points } = board.next(snapshot.world, { seq, at: snapshot.now }, entries)
      const count = released.length + clock.length
      if (crossing === '' && changed.length === 0 && count === 0 && !leaderboard && !points) return null
      const boardText = leaderboard ? boards.next(leaderboard) : null
      const changes = { released, points: points?.challenges ?? [] }
      return {
        textFor: (receiver, at) =>
          crossing +
          textsFor(changed, receiver, at) +
          (boardText && maySeeBoard(receiver, at) ? boardText(receiver, at) : '') +
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

interface StateText {
  readonly part: VisiblePart
  readonly text: string
}

/** The current state, one event for each kind. */
export function stateTexts({ states }: StreamKinds, snapshot: Snapshot): StateText[] {
  return states.map(({ name, part, data }) => ({ part, text: frame(name, data(snapshot)) }))
}

export function textsFor(texts: readonly StateText[], receiver: Receiver, snapshot: Snapshot): string {
  return texts.map(({ part, text }) => (isOpenTo(part, receiver, snapshot) ? text : '')).join('')
}

type Board = StreamEventData<'leaderboard'>

/** What a receiver gets of changed standings: all rows of its division, if it sees no others. */
export function boardFor(changed: Board, receiver: Receiver, snapshot: Snapshot): Board {
  const { snapshot: visible, extent } = snapshotFor(receiver, snapshot)
  return extent.board === 'all' ? changed : wholeBoard(visible.world)
}

/** The texts for those who see all, and for each division. A division hears nothing of changes of the others. */
function createBoardTexts() {
  const sent = new Map<string, string>()
  return {
    next(changed: Board) {
      const shared = frame('leaderboard', changed)
      const texts = new Map<string, string>()
      return (receiver: Receiver, snapshot: Snapshot): string => {
        const { extent } = snapshotFor(receiver, snapshot)
        if (extent.board === 'all') return shared
        const key = JSON.stringify(extent.board)
        const known = texts.get(key)
        if (known !== undefined) return known
        const text = frame('leaderboard', boardFor(changed, receiver, snapshot))
        texts.set(key, sent.get(key) === text ? '' : text)
        sent.set(key, text)
        return texts.get(key) ?? ''
      }
    },
  }
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
  const shown = released.flatMap(({ id }) => openIn(world, id))
  const values = points.flatMap(({ id }) => openIn(world, id).map(valueOf))
  const releasedText =
    shown.length > 0
      ? frame('challenges', { released: shown.map(summaryOf), changed: [], withdrawn: [] })
      : ''
  return releasedText + (values.length > 0 ? frame('points', { challenges: values }) : '')
}

function openIn(world: WorldView, id: string): Challenge[] {
  const challenge = world.challenge(id)
  return challenge?.isPublic ? [challenge] : []
}
