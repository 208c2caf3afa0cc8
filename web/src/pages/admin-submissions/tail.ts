/** Rows that the live list keeps. */
export const MOST_TAIL_ROWS = 500

interface Row {
  readonly id: string
  readonly createdAt: string
}

/**
 * The live list after an answer: newest first, each row once. Bounds of time are inclusive and rows of one instant may
 * come in two answers, so rows are told apart by id.
 */
export function extended<R extends Row>(rows: readonly R[], answer: readonly R[]): readonly R[] {
  const known = new Set(rows.map(({ id }) => id))
  const fresh = answer.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return rows
  return [...rows, ...fresh].sort(newestFirst).slice(0, MOST_TAIL_ROWS)
}

/**
 * The live list after pages are read until one holds a known row: more may have come than one page holds. When as many
 * are new as the list keeps, it begins anew: with the old rows under them it would have a gap that nobody sees.
 */
export async function caughtUp<R extends Row>(
  rows: readonly R[],
  pageSize: number,
  read: (offset: number) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const known = new Set(rows.map(({ id }) => id))
  let fresh: readonly R[] = []
  for (let offset = 0; offset < MOST_TAIL_ROWS; offset += pageSize) {
    const page = await read(offset)
    fresh = extended(fresh, page)
    const isEnd = page.length < pageSize || rows.length === 0 || page.some(({ id }) => known.has(id))
    if (isEnd) return extended(rows, fresh)
  }
  return fresh
}

/** How many rows stand in `rows` that the held list lacks. */
export function freshCount(held: readonly Row[], rows: readonly Row[]): number {
  const known = new Set(held.map(({ id }) => id))
  const oldest = held.at(-1)
  const isLater = (row: Row) => oldest === undefined || newestFirst(row, oldest) < 0
  return rows.filter((row) => !known.has(row.id) && isLater(row)).length
}

function newestFirst(a: Row, b: Row): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? 1 : -1
}
