import { escapeIdentifier, type ClientBase } from 'pg'
import { definedOf } from '../../lib/defined-of.ts'
import { microsText } from './micros.ts'

/** Rows per statement. */
const MAX_ROWS = 500
/** Texts of a statement: a challenge may have a description of megabytes. */
const MAX_LENGTH = 8 * 1024 * 1024

type Value = string | number | boolean | null | object
export type InsertedRow = Readonly<Record<string, Value>>

/** A row whose columns are called as the fields that are defined, in snake case. Numbers called `…At` are Unix microseconds. */
export function columnsOf(fields: object): InsertedRow {
  return Object.fromEntries(
    Object.entries(definedOf(fields)).map(([name, value]: [string, InsertedRow[string]]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'number' && /^at$|At$/.test(name) ? microsText(value) : value,
    ]),
  )
}

/** Inserts rows of one table, whose keys are columns. JSON is converted by PostgreSQL. Rows with other columns begin another statement. */
export async function insertRows(
  client: ClientBase,
  table: string,
  rows: AsyncIterable<InsertedRow> | Iterable<InsertedRow>,
): Promise<number> {
  let batch: string[] = []
  let length = 0
  let count = 0
  let columns = ''
  const into = escapeIdentifier(table)

  async function flush(): Promise<void> {
    if (batch.length === 0) return
    await client.query(
      `insert into ${into} (${columns}) select ${columns} from json_populate_recordset(null::${into}, $1::json)`,
      [`[${batch.join(',')}]`],
    )
    count += batch.length
    batch = []
    length = 0
  }

  for await (const row of rows) {
    const own = Object.keys(row).map(escapeIdentifier).join(', ')
    if (own !== columns) await flush()
    columns = own
    const text = storableJson(row)
    batch.push(text)
    length += text.length
    if (batch.length >= MAX_ROWS || length >= MAX_LENGTH) await flush()
  }
  await flush()
  return count
}

/** JSON that PostgreSQL can store: neither with a null character nor with half of a surrogate pair. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\u{fffd}') : each,
  )
}
