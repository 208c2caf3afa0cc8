import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import { personalTables } from './declared.ts'

// docs/reference/personal-data.md#download

export const DOWNLOAD_FORMAT = 'pennant-personal-data/1'

/** Rows of a query, and of a table at most: far more than the limits let a team write. */
const PAGE = 2_000
const MAX_ROWS = 200_000

interface Owner {
  readonly kind: 'team' | 'person'
  readonly id: string
  readonly now: number
}

/** The text of the file, in pieces. No connection is held between two pages. */
export async function* downloadOf(db: Queries, { kind, id, now }: Owner): AsyncGenerator<string> {
  const head = { format: DOWNLOAD_FORMAT, of: kind, id, exportedAt: new Date(now).toISOString() }
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tables": {`
  let isFirstTable = true
  for (const { name, ...table } of personalTables) {
    const share = table[kind]
    if (!share?.download) continue
    const from = sql`select ${share.download} from ${raw(name)} where ${share.rows(id)} order by ctid`
    let isFirst = true
    for (let offset = 0; offset < MAX_ROWS; offset += PAGE) {
      const rows = await db.query<{ row: string }>(
        sql`select to_json(r)::text as row from (${from} limit ${PAGE} offset ${offset}) as r`,
      )
      if (rows.length > 0 && isFirst) {
        yield `${isFirstTable ? '' : ','}\n    ${JSON.stringify(share.section ?? name)}: [`
        isFirstTable = false
      }
      for (const { row } of rows) {
        yield `${isFirst ? '' : ','}\n      ${row}`
        isFirst = false
      }
      if (rows.length < PAGE) break
    }
    if (!isFirst) yield '\n    ]'
  }
  yield '\n  }\n}\n'
}
