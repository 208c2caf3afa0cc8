import type { BoardChallenge } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import { CELL } from '../../../ui/board/matrix-maths.ts'
import { compareCategories } from '../../../ui/marks/categories.ts'
import type { BoardRow } from '../use-board.ts'

/** Scoreboard data of the challenges, by id. */
export type Heads = Readonly<Record<string, z.output<typeof BoardChallenge>>>

/** One challenge column of the matrix. */
export interface Column {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly points: number
  readonly solves: number
  readonly isLive: boolean
  /** Team ids in order of the bloods. */
  readonly bloods: readonly string[]
}

export type ColumnOrder = 'category' | 'solves'

/** Sorts by category and value, or by solves, most first. Ties are sorted by name. */
export function columnsOf(heads: Heads, order: ColumnOrder): Column[] {
  const columns = Object.entries(heads).map(([id, head]) => ({
    id,
    name: head.name,
    category: head.category,
    points: head.points,
    solves: head.solves,
    isLive: head.scoringKind === 'dynamic',
    bloods: head.firstSolvers.map((team) => team.id),
  }))
  const byName = (left: Column, right: Column) => left.name.localeCompare(right.name)
  return columns.sort((left, right) =>
    order === 'solves'
      ? right.solves - left.solves || byName(left, right)
      : compareCategories(left.category, right.category) || left.points - right.points || byName(left, right),
  )
}

/** Groups the columns by category, in order. */
export function byCategory(columns: readonly Column[]): (readonly [category: string, columns: Column[]])[] {
  const groups = new Map<string, Column[]>()
  for (const column of columns) groups.set(column.category, [...(groups.get(column.category) ?? []), column])
  return [...groups]
}

const BLOODS = [CELL.blood1, CELL.blood2, CELL.blood3] as const

/** The cells of a team: one `CELL` value per column. */
export function cellsOf(
  { id: teamId, solves, dynamicScores }: Pick<BoardRow, 'id' | 'solves' | 'dynamicScores'>,
  columns: readonly Column[],
): Uint8Array {
  const solved = new Set(solves.map(({ id }) => id))
  const live = new Set(dynamicScores.map(({ id }) => id))
  return Uint8Array.from(columns, ({ id, bloods }) => {
    if (live.has(id)) return CELL.live
    if (!solved.has(id)) return CELL.none
    return BLOODS[bloods.indexOf(teamId)] ?? CELL.solved
  })
}

interface Counted {
  readonly solves: readonly unknown[]
  readonly dynamicScores: readonly unknown[]
}

/** Number of challenges a team has solved or has dynamic points on, independent of the challenge list. */
export function solveCount({ solves, dynamicScores }: Counted): number {
  return solves.length + dynamicScores.length
}

/** Number of columns a team has solved or scored on. */
export function countSolved(cells: Uint8Array): number {
  return cells.reduce((count, cell) => count + (cell === CELL.none ? 0 : 1), 0)
}

/** The challenges of one category: its name, and their ids. */
export interface CategoryChallenges {
  readonly name: string
  readonly ids: ReadonlySet<string>
}

/** The categories in list order. */
export function categoriesOf(heads: Heads): CategoryChallenges[] {
  return byCategory(columnsOf(heads, 'category')).map(([name, columns]) => ({
    name,
    ids: new Set(columns.map(({ id }) => id)),
  }))
}

/** How many challenges of each category a team has solved or scored on. */
export function solvedByCategory(
  { solves, dynamicScores }: Pick<BoardRow, 'solves' | 'dynamicScores'>,
  categories: readonly CategoryChallenges[],
): number[] {
  const touched = [...solves, ...dynamicScores]
  return categories.map(({ ids }) => touched.reduce((sum, { id }) => sum + (ids.has(id) ? 1 : 0), 0))
}
