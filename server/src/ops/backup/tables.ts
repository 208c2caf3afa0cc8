import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Manifest, Table } from './manifest.ts'

export type Columns = Pick<Table, 'name' | 'columns'>

/** The worker's lease belongs to a running process; a copy of it would only delay the next worker. */
const WITHOUT_ROWS = new Set(['leases'])

/** The tables of the schema that are not part of an extension. */
const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  group by c.relname order by c.relname`

const REFERENCES = `
  select distinct c.relname as "from", p.relname as "to"
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
  where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace and c.oid <> p.oid`

const SEQUENCES = `
  select c.relname as table, a.attname::text as column,
    pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
  order by 1, 2`

/** All tables, ordered so that a table follows the tables that it references. */
export async function listTables(client: ClientBase): Promise<Columns[]> {
  const { rows } = await client.query<Columns>(TABLES)
  const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES)
  const ordered: Columns[] = []
  const isDone = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name }) => !isDone(name) && references.every(({ from, to }) => from !== name || isDone(to)),
    )
    if (next.length === 0) throw new Error('tables reference each other in a cycle')
    ordered.push(...next)
  }
  return ordered
}

/** Read after the rows, so that no sequence is behind its table: sequences do not belong to a snapshot. */
export async function listSequences(client: ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(SEQUENCES)
  const found: Manifest['sequences'] = []
  for (const { table, column, sequence } of rows) {
    const { rows: states } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${sequence}`,
    )
    for (const state of states) found.push({ table, column, ...state })
  }
  return found
}

export function copyStatement({ name, columns }: Columns, direction: 'to stdout' | 'from stdin'): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) ${direction}`
}

/** The rows of a table in COPY's text format, one line for each row. */
export function copyRows(client: ClientBase, table: Columns): AsyncIterable<Buffer> {
  if (WITHOUT_ROWS.has(table.name)) return noRows()
  return client.query(copyTo(copyStatement(table, 'to stdout')))
}

async function* noRows(): AsyncGenerator<Buffer> {}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
