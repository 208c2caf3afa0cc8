import { useState } from 'react'
import { isSame } from '../../../ui/form.ts'

/** Rows, each with a stable key that does not depend on its position. */
export interface Keyed<Row> {
  readonly rows: readonly Row[]
  readonly keys: readonly number[]
  readonly nextKey: number
}

export function keyed<Row>(rows: readonly Row[]): Keyed<Row> {
  return { rows, keys: rows.map((_, at) => at), nextKey: rows.length }
}

/** Matches rows by identity, then by content (a save returns copies), then by index (an edit). */
export function rekeyed<Row>(old: Keyed<Row>, rows: readonly Row[]): Keyed<Row> {
  const free = new Set(old.keys.keys())
  const keys: (number | undefined)[] = rows.map(() => undefined)
  const claim = (isIt: (before: number, now: number) => boolean) => {
    for (const now of keys.keys()) {
      if (keys[now] !== undefined) continue
      const before = [...free].find((each) => isIt(each, now))
      if (before === undefined) continue
      free.delete(before)
      keys[now] = old.keys[before]
    }
  }
  claim((before, now) => old.rows[before] === rows[now])
  claim((before, now) => isSame(old.rows[before], rows[now]))
  claim((before, now) => before === now)
  let { nextKey } = old
  return { rows, keys: keys.map((key) => key ?? nextKey++), nextKey }
}

/** Returns a stable key per row, so that a moved row keeps its focus and its field state. */
export function useRowKeys<Row>(rows: readonly Row[]): readonly number[] {
  const [last, setLast] = useState(() => keyed(rows))
  if (last.rows === rows) return last.keys
  const next = rekeyed(last, rows)
  setLast(next)
  return next.keys
}
