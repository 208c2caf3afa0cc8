import { STREAM_ROWS, type StreamEventData } from '@pennant/contract/stream.ts'
import type { WorldView } from '../../world/model.ts'
import type { StreamPosition } from './frames.ts'

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
  next(world: WorldView, now: Since): BoardChange
  /** What may have changed since a client with this position got the state. */
  since(world: WorldView, position: Since): BoardChange
}

export function createBoardChanges(start: WorldView, startAt: Since): BoardChanges {
  let key = start.boardKey
  let version = start.versions.board
  let movedAt = startAt
  const rows = createComparison(rowsOf, start, startAt)
  const values = createComparison(valuesOf, start, startAt)

  return {
    next(world, now) {
      if (world.boardKey === key) return { leaderboard: null, points: null }
      key = world.boardKey
      // Ranks after the first ones may have changed too.
      const isMoved = world.versions.board !== version
      version = world.versions.board
      if (isMoved) movedAt = now
      const leaderboard = isMoved ? boardOf(world, rows.next(world, now)) : null
      return { leaderboard, points: pointsOf(values.next(world, now)) }
    },
    since(world, position) {
      const isMoved = isAfter(movedAt, position) || world.versions.board !== version
      const leaderboard = isMoved ? boardOf(world, rows.since(world, position)) : null
      return { leaderboard, points: pointsOf(values.since(world, position)) }
    },
  }
}

const boardOf = (world: WorldView, rows: Row[]): Board => ({ total: world.rankedCount(), rows })
const pointsOf = (challenges: Value[]): Points | null => (challenges.length > 0 ? { challenges } : null)

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
  return world.publicChallenges().map(({ id, points, solveCount }) => ({ id, points, solves: solveCount }))
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
