import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { clientConfig } from '../../../db/database.ts'
import { StartError } from '../../../lib/errors.ts'
import { linesOf, readRow, type Row } from './copy-text.ts'
import { isRctfTable, type RctfTable, type RctfTables } from './tables.ts'

/** One snapshot for all tables, and nothing can be written. The formats are those of a dump. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'`

const COLUMNS = `
  select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  group by c.relname`

const CONNECT_TIMEOUT_MS = 10_000

/** Reads the database of a running or stopped rCTF, in one transaction that cannot write. */
export async function openLive(url: string): Promise<RctfTables> {
  const client = new Client({
    ...clientConfig({ url }),
    application_name: 'pennant import',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A lost connection also fails the statement that is running.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(BEGIN)
    const { rows } = await client.query<{ table: string; columns: string[] }>(COLUMNS)
    const columns = new Map(
      rows.flatMap(({ table, columns: names }) => (isRctfTable(table) ? [[table, names] as const] : [])),
    )
    return tablesOf(client, columns)
  } catch (cause) {
    await client.end().catch(() => {})
    // The message names the host, never the password.
    const reason = cause instanceof Error ? cause.message : 'it does not respond'
    throw new StartError(`Could not read the database of rCTF: ${reason}.`, { cause })
  }
}

function tablesOf(client: Client, columns: ReadonlyMap<RctfTable, readonly string[]>): RctfTables {
  async function* rows(table: RctfTable): AsyncGenerator<Row> {
    const names = columns.get(table)
    if (!names) return
    const list = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')
    const stream = client.query(copyTo(`copy public."${table}" (${list}) to stdout`))
    for await (const lines of linesOf(stream as AsyncIterable<Buffer>))
      for (const line of lines) yield readRow(line.toString(), names)
  }
  return {
    async scan(wanted, onRow) {
      for (const table of wanted) for await (const row of rows(table)) onRow(table, row)
      return columns
    },
    rows,
    async [Symbol.asyncDispose]() {
      await client.query('rollback').catch(() => {})
      await client.end()
    },
  }
}
