import { Client } from 'pg'

/** Changes with every statement that changes the schema, `truncate` included, or a setting of the database. */
export const SCHEMA_VERSION_SQL = `
  select string_agg(part, ' ') from (${[
    'pg_class',
    'pg_attribute',
    'pg_constraint',
    'pg_index',
    'pg_trigger',
    'pg_proc',
    'pg_type',
    'pg_namespace',
    'pg_extension',
  ]
    .map((catalogue) => `select count(*) || ':' || max(xmin::text::bigint) as part from ${catalogue}`)
    .join(' union all ')}
    union all
    select count(*)::text from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()
    union all
    select datconnlimit::text from pg_database where datname = current_database()) as parts`

/** The size of the tables and indexes, in bytes. */
export const SIZE_SQL = `
  select coalesce(sum(pg_relation_size(oid)), 0) from pg_class where relnamespace = 'public'::regnamespace`

/** Connections to the current database. */
export const SESSIONS_SQL =
  'select count(*) as sessions from pg_stat_activity where datname = current_database()'

interface Template {
  readonly schemaVersion: string
  /** Statements that restore the rows and sequences of the template in a clone. */
  readonly resetSql: string
}

/** Reads what is needed to turn a used clone of a migrated database into a new one. */
export async function describeTemplate(url: string): Promise<Template> {
  const client = new Client({ connectionString: url })
  await client.connect()
  async function textsOf(sql: string): Promise<string[]> {
    const { rows } = await client.query<{ text: string }>(sql)
    return rows.map(({ text }) => text)
  }
  try {
    const [schemaVersion = ''] = await textsOf(`select (${SCHEMA_VERSION_SQL}) as text`)
    const tables = await textsOf(
      `select oid::regclass::text as text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const statements = [
      'set local session_replication_role = replica',
      ...tables.map((table) => `delete from ${table}`),
    ]
    for (const table of tables) {
      const [json = '[]'] = await textsOf(
        `select coalesce(json_agg(row), '[]')::text as text from ${table} as row`,
      )
      if (json === '[]') continue
      statements.push(
        `insert into ${table} select * from json_populate_recordset(null::${table}, ${client.escapeLiteral(json)})`,
      )
    }
    statements.push(
      ...(await textsOf(`
        select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
          coalesce(last_value, start_value), last_value is not null) as text
        from pg_sequences`)),
    )
    return { schemaVersion, resetSql: statements.join(';\n') }
  } finally {
    await client.end()
  }
}
