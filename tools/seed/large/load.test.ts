import { Client } from 'pg'
import { expect, test } from 'vitest'
import { findViolations } from '../../../server/src/ops/verify/invariants.ts'
import { openTestDatabase } from '../../../server/test/database.ts'
import { generate } from './generate.ts'
import { loadRows } from './load.ts'
import { DATA_SETS } from './sets.ts'

test('loads rows that violate no invariant, into an empty database only', async () => {
  await using database = await openTestDatabase()
  const target = { databaseUrl: database.url, now: Date.now() }
  const generated = generate(DATA_SETS.small)
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    const structure = `
      select pg_get_indexdef(indexrelid) as part from pg_index
      where indrelid in ('solves'::regclass, 'submissions'::regclass)
      union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid in ('solves'::regclass, 'submissions'::regclass)
      union all select tgname || ' ' || tgenabled::text from pg_trigger where tgrelid = 'solves'::regclass and not tgisinternal
      order by 1`
    const before = (await client.query(structure)).rows
    await loadRows(generated, target)
    const { rows } = await client.query(`
      select (select count(*)::int from teams) as teams, (select count(*)::int from challenges) as challenges,
        (select count(*)::int from solves) as solves, (select count(*)::int from submissions) as submissions`)
    expect(rows).toEqual([{ teams: 450, challenges: 20, solves: 300, submissions: 600 }])
    expect(await findViolations(client)).toEqual([])
    expect((await client.query(structure)).rows).toEqual(before)
    await expect(loadRows(generated, target)).rejects.toThrow('has teams already')
  } finally {
    await client.end()
  }
})
