import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { openTestDatabase } from '../../test/database.ts'
import { pruneChanges } from './prune-changes.ts'
import { PRUNE_BATCH_SIZE } from './prune.ts'

test('keeps the newest rows or the last day, whichever is more', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const seqs = async () =>
    (await db.query<{ seq: number }>(sql`select seq from changes order by seq`)).map((row) => row.seq)
  // Ten rows from two days ago and ten from now.
  for (const age of ['2 days', '0 days'])
    await db.query(sql`
      insert into changes (kind, ids, at) select 'teams', '{}', clock_timestamp() - ${age}::interval
      from generate_series(1, 10)`)

  expect(await pruneChanges(db, { rows: 20, ms: DAY_MS })()).toBe(0)
  expect(await pruneChanges(db, { rows: 16, ms: DAY_MS })()).toBe(4)
  expect((await seqs())[0]).toBe(5)
  expect(await pruneChanges(db, { rows: 3, ms: DAY_MS })()).toBe(6)
  expect(await seqs()).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  expect(await pruneChanges(db, { rows: 3, ms: DAY_MS })()).toBe(0)
  expect(await pruneChanges(db, { rows: 3, ms: -DAY_MS })()).toBe(7)
  expect(await seqs()).toEqual([18, 19, 20])
})

test('a batch is bounded and deletes the oldest rows', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into changes (kind, ids) select 'teams', '{}' from generate_series(1, ${PRUNE_BATCH_SIZE + 100}::int)`)
  const prune = pruneChanges(db, { rows: 10, ms: -DAY_MS })
  expect(await prune()).toBe(PRUNE_BATCH_SIZE)
  expect(await prune()).toBe(90)
  expect(await prune()).toBe(0)
})
