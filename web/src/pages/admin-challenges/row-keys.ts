import { useState } from 'react'
import { isSame } from '../../ui/form.ts'

/** Rows with a number each by which it is known as long as it is there, wherever it stands. */
export interface Keyed<Row> {
  readonly rows: readonly Row[]
  readonly keys: readonly number[]
  readonly nextKey: number
}

export function keyed<Row>(rows: readonly Row[]): Keyed<Row> {
  return { rows, keys: rows.map((_, at) => at), nextKey: rows.length }
}

/** After a change: rows are found again by identity, then by content (a save gives copies), then by place (an edit). */
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

/** A key for each row, the same over every change of the list: with it a moved row keeps its focus and its fields. */
export function useRowKeys<Row>(rows: readonly Row[]): readonly number[] {
  const [last, setLast] = useState(() => keyed(rows))
  if (last.rows === rows) return last.keys
  const next = rekeyed(last, rows)
  setLast(next)
  return next.keys
}
