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
  next(world: WorldView): BoardChange
  /** Everything, for clients that resume: rows that changed meanwhile are not recorded. */
  whole(world: WorldView): { readonly leaderboard: Board; readonly points: Points }
}

export function createBoardChanges(start: WorldView): BoardChanges {
  let key = start.boardKey
  let rows = textsOf(rowsOf(start))
  let values = textsOf(valuesOf(start))

  return {
    next(world) {
      if (world.boardKey === key) return { leaderboard: null, points: null }
      key = world.boardKey
      const [newRows, newValues] = [rowsOf(world), valuesOf(world)]
      const changedRows = changed(rows, newRows)
      const changedValues = changed(values, newValues)
      rows = textsOf(newRows)
      values = textsOf(newValues)
      return {
        leaderboard: { total: world.rankedCount(), rows: changedRows },
        points: changedValues.length > 0 ? { challenges: changedValues } : null,
      }
    },
    whole: (world) => ({
      leaderboard: { total: world.rankedCount(), rows: rowsOf(world) },
      points: { challenges: valuesOf(world) },
    }),
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

function textsOf(rows: readonly { readonly id: string }[]): Map<string, string> {
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
}

function changed<R extends { readonly id: string }>(
  before: ReadonlyMap<string, string>,
  rows: readonly R[],
): R[] {
  return rows.filter((row) => before.get(row.id) !== JSON.stringify(row))
}
