export type Column = Int32Array | Float64Array | Uint8Array

/** Returns the column if it has room for `length` entries, otherwise a copy that is at least 1.5 times as long. */
export function withRoom<C extends Column>(column: C, length: number): C {
  if (length <= column.length) return column
  const Longer = column.constructor as new (length: number) => C
  const longer = new Longer(Math.max(length, Math.ceil(column.length * 1.5), 16))
  longer.set(column)
  return longer
}

/** Index of the last entry of an ascending column that is at most `limit`, or -1. */
export function lastUpTo(column: Float64Array, limit: number): number {
  let low = 0
  let high = column.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
