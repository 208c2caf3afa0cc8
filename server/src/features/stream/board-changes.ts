import { STREAM_ROWS, type StreamEventData } from '@pennant/contract/stream.ts'
import type { WorldView } from '../../world/model.ts'

type Board = StreamEventData<'leaderboard'>
type Points = StreamEventData<'points'>
type Row = Board['rows'][number]
type Value = Points['challenges'][number]

/** What changed since the last look; null where nothing did. */
export interface BoardChange {
  readonly leaderboard: Board | null
  readonly points: Points | null
}

/** Compares the first ranks and the values of challenges with what was last sent. */
export interface BoardChanges {
  /** `seq`: of the last entry of the change log that the world includes. */
  next(world: WorldView, seq: number): BoardChange
  /**
   * Rows that may have changed since the client with this position got the state; all if the position is older than this process or
   * has no number.
   */
  leaderboardSince(world: WorldView, seq: number): Board
  /** The same for values. */
  pointsSince(world: WorldView, seq: number): Points
}

/** What was last sent, and after which entry. */
interface Sent {
  readonly text: string
  readonly seq: number
}

export function createBoardChanges(start: WorldView, startSeq: number): BoardChanges {
  let key = start.boardKey
  let rows = sentOf(rowsOf(start), startSeq)
  let values = sentOf(valuesOf(start), startSeq)
  const mayDiffer = (sent: ReadonlyMap<string, Sent>, seq: number) => (row: { readonly id: string }) => {
    const known = sent.get(row.id)
    // The clock changes values without an entry, hence also those sent after the same one.
    return seq <= startSeq || !known || known.seq >= seq || known.text !== JSON.stringify(row)
  }

  return {
    next(world, seq) {
      if (world.boardKey === key) return { leaderboard: null, points: null }
      key = world.boardKey
      const [newRows, newValues] = [rowsOf(world), valuesOf(world)]
      const sentRows = sentOf(newRows, seq, rows)
      const sentValues = sentOf(newValues, seq, values)
      const changedRows = newRows.filter(({ id }) => sentRows.get(id) !== rows.get(id))
      const changedValues = newValues.filter(({ id }) => sentValues.get(id) !== values.get(id))
      rows = sentRows
      values = sentValues
      return {
        leaderboard: { total: world.rankedCount(), rows: changedRows },
        points: changedValues.length > 0 ? { challenges: changedValues } : null,
      }
    },
    leaderboardSince: (world, seq) => ({
      total: world.rankedCount(),
      rows: rowsOf(world).filter(mayDiffer(rows, seq)),
    }),
    pointsSince: (world, seq) => ({ challenges: valuesOf(world).filter(mayDiffer(values, seq)) }),
  }
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

/** Keeps what has not changed. */
function sentOf(
  rows: readonly { readonly id: string }[],
  seq: number,
  before?: ReadonlyMap<string, Sent>,
): Map<string, Sent> {
  const sent = rows.map((row): [string, Sent] => {
    const text = JSON.stringify(row)
    const known = before?.get(row.id)
    return [row.id, known?.text === text ? known : { text, seq }]
  })
  return new Map(sent)
}
