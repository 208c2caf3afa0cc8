import { groupBy } from '../lib/group-by.ts'
import { isJsonEqual } from './json-equal.ts'
import type { AnyRowKind, RowKind, RowsChange, RowsOfKind } from './row-kind.ts'

/** The rows of one kind. */
export interface KeptRows {
  readonly byKey: Map<string, readonly object[]>
  /** Cache, cleared by changes. */
  slice: unknown
}

/** Kinds without rows are missing until something reads or changes them. */
export type RowsByKind = Map<AnyRowKind, KeptRows>

/** What readers get. */
export function sliceOf<Row extends object, Slice>(kept: RowsByKind, kind: RowKind<Row, Slice>): Slice {
  const any: AnyRowKind = kind
  const rows = keptOf(kept, any)
  rows.slice ??= any.slice(rows.byKey)
  // Only the kind itself makes what is stored under it.
  return rows.slice as Slice
}

export function keptOf(kept: RowsByKind, kind: AnyRowKind): KeptRows {
  let rows = kept.get(kind)
  if (!rows) kept.set(kind, (rows = { byKey: new Map(), slice: undefined }))
  return rows
}

/** Fills an empty map. */
export function loadRows(kept: RowsByKind, { of, rows }: RowsOfKind): void {
  const { byKey } = keptOf(kept, of)
  for (const [key, own] of groupBy(rows, of.keyOf)) byKey.set(key, inOrder(of, own))
}

/** Replaces rows in place. Returns the keys whose rows differ. */
export function replaceRows(kept: RowsByKind, { of, keys, rows }: RowsChange): string[] {
  const known = keptOf(kept, of)
  const rowsOf = groupBy(rows, of.keyOf)
  const changed = keys.filter((key) => {
    const before = known.byKey.get(key) ?? []
    const after = inOrder(of, rowsOf.get(key) ?? [])
    if (isJsonEqual(before, after)) return false
    if (after.length > 0) known.byKey.set(key, after)
    else known.byKey.delete(key)
    return true
  })
  if (changed.length > 0) known.slice = undefined
  return changed
}

/** A copy without what frozen standings do not include. */
export function rowsUntil(kept: RowsByKind, until: number): RowsByKind {
  const copy: RowsByKind = new Map()
  for (const [of, { byKey }] of kept) {
    const rows = [...byKey.values()].flat().filter((row) => of.isIncludedAt?.(row, until) ?? true)
    loadRows(copy, { of, rows })
  }
  return copy
}

function inOrder({ compare }: AnyRowKind, rows: readonly object[]): readonly object[] {
  return compare && rows.length > 1 ? rows.toSorted(compare) : rows
}
