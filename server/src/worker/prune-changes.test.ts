import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { pruneChanges } from './prune-changes.ts'
import { pruneLength } from './prune.ts'

const dayMs = 24 * 60 * 60 * 1000

test('the log keeps its newest rows and its newest day, whichever is more', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const seqs = async () =>
    (await db.query<{ seq: number }>(sql`select seq from changes order by seq`)).map((row) => row.seq)
  // Ten of two days ago, ten of now.
  for (const age of ['2 days', '0 days'])
    await db.query(sql`
      insert into changes (kind, ids, at) select 'teams', '{}', clock_timestamp() - ${age}::interval
      from generate_series(1, 10)`)

  expect(await pruneChanges(db, { rows: 20, ms: dayMs })()).toBe(0)
  expect(await pruneChanges(db, { rows: 16, ms: dayMs })()).toBe(4)
  expect((await seqs())[0]).toBe(5)
  expect(await pruneChanges(db, { rows: 3, ms: dayMs })()).toBe(6)
  expect(await seqs()).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  expect(await pruneChanges(db, { rows: 3, ms: dayMs })()).toBe(0)
  expect(await pruneChanges(db, { rows: 3, ms: -dayMs })()).toBe(7)
  expect(await seqs()).toEqual([18, 19, 20])
})

test('a batch is bounded and takes the oldest', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into changes (kind, ids) select 'teams', '{}' from generate_series(1, ${pruneLength + 100}::int)`)
  const prune = pruneChanges(db, { rows: 10, ms: -dayMs })
  expect(await prune()).toBe(pruneLength)
  expect(await prune()).toBe(90)
  expect(await prune()).toBe(0)
})
