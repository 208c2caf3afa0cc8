import { Client } from 'pg'
import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../src/db/database.ts'
import { verifyActions } from '../src/ops/verify/actions.ts'
import { findViolations } from '../src/ops/verify/invariants.ts'

/** All rows of all tables as text, to find what should be gone. */
export async function everything(db: Queries): Promise<string> {
  const tables = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await db.query<{ text: string }>(sql`select t::text as text from ${raw(name)} t`)
    texts.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return texts.join('\n')
}

/** What `pennant verify` finds. */
export async function verified(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { broken } = await verifyActions(client, null)
    return [...broken, ...(await findViolations(client)).map(({ check }) => check)]
  } finally {
    await client.end()
  }
}
