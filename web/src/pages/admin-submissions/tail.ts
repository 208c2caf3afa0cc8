/** Maximum number of rows in the live list. */
export const MAX_TAIL_ROWS = 500

interface Row {
  readonly id: string
  readonly createdAt: string
}

/**
 * Adds a response to the live list: newest first, each row once. Time bounds are inclusive, so rows with the
 * same timestamp can appear in two responses; they are deduplicated by id.
 */
export function extended<R extends Row>(rows: readonly R[], response: readonly R[]): readonly R[] {
  const known = new Set(rows.map(({ id }) => id))
  const fresh = response.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return rows
  return [...rows, ...fresh].sort(newestFirst).slice(0, MAX_TAIL_ROWS)
}

/**
 * Reads pages until one contains a known row, because more rows may be new than one page holds. If the new
 * rows fill the list, the old rows are dropped, since keeping them would leave an invisible gap.
 */
export async function caughtUp<R extends Row>(
  rows: readonly R[],
  pageSize: number,
  read: (offset: number) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const known = new Set(rows.map(({ id }) => id))
  let fresh: readonly R[] = []
  for (let offset = 0; offset < MAX_TAIL_ROWS; offset += pageSize) {
    const page = await read(offset)
    fresh = extended(fresh, page)
    const isEnd = page.length < pageSize || rows.length === 0 || page.some(({ id }) => known.has(id))
    if (isEnd) return extended(rows, fresh)
  }
  return fresh
}

/** Counts the rows in `rows` that the held list lacks. */
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
