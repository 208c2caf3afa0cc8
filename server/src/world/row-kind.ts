import type { Queries } from '../db/database.ts'

// A kind of row is a value: docs/decisions/0044-declare-kinds-of-rows-as-values.md

/** Points that a row adds to the score of its team, or takes from it. */
export interface ScoreRow {
  readonly id: string
  /** Not zero. A team with a positive one is ranked, as by a solve. */
  readonly points: number
  readonly at: number
}

interface ReleasedChallenge {
  readonly id: string
  readonly releaseAt: number | null
}

interface EventStart {
  readonly startTime: number
}

/** The rows of each key. Keys without rows are missing. */
export type RowsByKey<Row> = ReadonlyMap<string, readonly Row[]>

/**
 * How the world reads, keeps and freezes one kind of rows. `Slice` is what readers get from `world.rows(kind)`. Feeds, solves, teams,
 * challenges and settings are no such values: the fold knows them by name.
 */
export interface RowKind<Row extends object, Slice> {
  /** The name of its entries in the change log. */
  readonly kind: string
  /** All rows, or those with the given keys. A key without rows was deleted. */
  read(db: Queries, keys?: readonly string[]): Promise<Row[]>
  keyOf(row: Row): string
  /** The keys that an entry of the change log names; its ids without this. */
  keysOf?(ids: readonly string[]): string[]
  /** The order of rows with the same key. */
  compare?(a: Row, b: Row): number
  /** Computed on the first read after a change. The map itself changes in place. */
  slice(rows: RowsByKey<Row>): Slice
  /** Keys are ids of teams; the rows of a team that is deleted are dropped. */
  readonly isByTeam?: true
  /** Requires `isByTeam`. */
  score?(row: Row): ScoreRow
  /** Whether standings that are frozen at a time include the row; all without this. */
  isIncludedAt?(row: Row, time: number): boolean
  /**
   * When rows of the challenge are released; null if nothing releases them. The world counts the released ones in
   * `Challenge.released`, because they change by the clock alone.
   */
  releases?(slice: Slice, challenge: ReleasedChallenge, event: EventStart): (number | null)[]
}

/** Any of them: methods accept the rows of their own kind only, which the fold ensures. */
export type AnyRowKind = RowKind<object, unknown>

/** Rows of one kind, to build a world from. */
export interface RowsOfKind {
  readonly of: AnyRowKind
  readonly rows: readonly object[]
}

/** All rows of each of the keys; they replace the previous ones. */
export interface RowsChange extends RowsOfKind {
  readonly kind: 'rows'
  readonly keys: readonly string[]
}

/** A change of rows, checked against the kind. */
export function rowsChange<Row extends object>(
  of: RowKind<Row, unknown>,
  keys: readonly string[],
  rows: readonly Row[],
): RowsChange {
  return { kind: 'rows', of, keys, rows }
}
