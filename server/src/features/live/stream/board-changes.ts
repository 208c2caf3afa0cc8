import { STREAM_ROWS, type StreamEventData } from '@pennant/contract/stream.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { StreamEntry } from '../../contest/kinds/stream-kind.ts'
import type { StreamPosition } from './frames.ts'
import { pairsOf } from './log-window.ts'

type Board = StreamEventData<'leaderboard'>
type Points = StreamEventData<'points'>
type Row = Board['rows'][number]
type Value = Points['challenges'][number]

/** What changed; null where nothing did. */
export interface BoardChange {
  readonly leaderboard: Board | null
  readonly points: Points | null
}

/** What a client may already have. */
type Since = Pick<StreamPosition, 'seq' | 'at'>

/**
 * Compares the first ranks and the values of challenges with what was last sent. What is sent depends on what is public alone: edits of
 * hidden challenges move the positions of the change log too.
 */
export interface BoardChanges {
  /** `now`: of the last entry of the change log that the world includes, and Unix milliseconds. */
  next(world: WorldView, now: Since, entries: readonly StreamEntry[]): BoardChange
  /** What may have changed since a client with this position got the state. */
  since(world: WorldView, position: Since): BoardChange
}

/** `scoring`: kinds of entries that change standings, besides those of challenges, teams and their results. */
export function createBoardChanges(
  start: WorldView,
  startAt: Since,
  scoring: ReadonlySet<string>,
): BoardChanges {
  let key = start.boardKey
  let version = start.versions.shown
  let total = start.rankedCount()
  let movedAt = startAt
  const rows = createComparison(rowsOf, start, startAt)
  const values = createComparison(valuesOf, start, startAt)

  return {
    next(world, now, entries) {
      if (world.boardKey === key) return { leaderboard: null, points: null }
      key = world.boardKey
      // Ranks after the first ones may have changed too.
      const isBumped = world.versions.shown !== version
      version = world.versions.shown
      const changed = isBumped ? rows.next(world, now) : []
      const isResized = world.rankedCount() !== total
      total = world.rankedCount()
      const isMoved = changed.length > 0 || isResized || (isBumped && isShown(entries, world, scoring))
      if (isMoved) movedAt = now
      const leaderboard = isMoved ? boardOf(world, changed) : null
      return { leaderboard, points: pointsOf(values.next(world, now)) }
    },
    since(world, position) {
      const changed = rows.since(world, position)
      const isMoved = isAfter(movedAt, position) || changed.length > 0
      const leaderboard = isMoved ? boardOf(world, changed) : null
      return { leaderboard, points: pointsOf(values.since(world, position)) }
    },
  }
}

/** All that is sent of the standings, for those who see a part of them. */
export const wholeBoard = (world: WorldView): Board => boardOf(world, rowsOf(world))

const boardOf = (world: WorldView, rows: Row[]): Board => ({ total: world.rankedCount(), rows })
const pointsOf = (challenges: Value[]): Points | null => (challenges.length > 0 ? { challenges } : null)

/** Whether the standings may have changed by more than what organisers did to hidden challenges. */
function isShown(entries: readonly StreamEntry[], world: WorldView, scoring: ReadonlySet<string>): boolean {
  const isPublic = (id: string) => world.challenge(id)?.isPublic === true
  return (
    entries.length === 0 ||
    entries.some(({ kind, ids, before }) => {
      if (kind === 'challenges') return before.size > 0 || ids.some(isPublic)
      // A team that has just registered has no rank.
      if (kind === 'teams') return ids.some((id) => world.standing(id).globalRank !== null)
      if (kind === 'solves') return pairsOf(ids).some(({ challengeId }) => isPublic(challengeId))
      return kind === 'feed' || kind === 'pushes' ? ids.some(isPublic) : scoring.has(kind)
    })
  )
}

/** What was last sent of each row, and when. */
function createComparison<R extends { readonly id: string }>(
  read: (world: WorldView) => R[],
  start: WorldView,
  startAt: Since,
) {
  let sent = sentOf(read(start), startAt)
  return {
    next(world: WorldView, now: Since): R[] {
      const [before, all] = [sent, read(world)]
      sent = sentOf(all, now, before)
      return all.filter(({ id }) => sent.get(id) !== before.get(id))
    },
    since(world: WorldView, position: Since): R[] {
      return read(world).filter((row) => {
        const known = sent.get(row.id)
        return !known || isAfter(known.at, position) || known.text !== JSON.stringify(row)
      })
    },
  }
}

/** The clock changes rows without an entry, and clocks differ between replicas. */
function isAfter(one: Since, { seq, at }: Since): boolean {
  return one.seq > seq || one.at > at
}

function rowsOf(world: WorldView): Row[] {
  return world.ranked({ offset: 0, limit: STREAM_ROWS }).map((id) => {
    const team = world.team(id)
    const { score, globalRank, divisionRank } = world.standing(id)
    return {
      id,
      name: team?.name ?? '',
      score,
      division: team?.division ?? '',
      divisionPlace: divisionRank ?? 0,
      globalPlace: globalRank ?? 0,
    }
  })
}

function valuesOf(world: WorldView): Value[] {
  return world.publicChallenges().map(valueOf)
}

export function valueOf({ id, points, solveCount }: Challenge): Value {
  return { id, points, solves: solveCount }
}

interface Sent {
  readonly text: string
  readonly at: Since
}

/** Keeps what has not changed. */
function sentOf(
  rows: readonly { readonly id: string }[],
  at: Since,
  before?: ReadonlyMap<string, Sent>,
): Map<string, Sent> {
  const sent = rows.map((row): [string, Sent] => {
    const text = JSON.stringify(row)
    const known = before?.get(row.id)
    return [row.id, known?.text === text ? known : { text, at }]
  })
  return new Map(sent)
}
