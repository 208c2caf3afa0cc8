import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { pruneHistory } from './prune-history.ts'

test('keeps the newest rows of the history, however old they are', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into admin_actions (actor_id, action, ip, at)
    select 'a', 'do.' || n, '203.0.113.1', '2020-01-01' from generate_series(1, 5) as n`)
  await db.query(sql`
    insert into settings_history (version, key, changed_by) select n, 'ctfName', 'a' from generate_series(1, 3) as n`)
  const prune = pruneHistory(db, 'admin_actions', 2)
  expect(await prune()).toBe(3)
  expect(await prune()).toBe(0)
  expect(await db.query(sql`select action from admin_actions order by id`)).toEqual([
    { action: 'do.4' },
    { action: 'do.5' },
  ])
  expect(await pruneHistory(db, 'settings_history', 3)()).toBe(0)
  expect(await pruneHistory(db, 'settings_history', 1)()).toBe(2)
  expect(await db.query(sql`select version from settings_history`)).toEqual([{ version: 3 }])
  expect(await pruneHistory(db, 'settings_history')()).toBe(0)
})
