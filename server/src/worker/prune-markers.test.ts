import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { pruneMarkers } from './prune-markers.ts'

test('deletes expired markers only', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  let now = Date.UTC(2026, 0, 1)
  const markers = createDatabaseMarkers(db, () => now)
  await markers.set('short', 'a', 1000)
  await markers.set('long', 'b', 2000)
  const prune = pruneMarkers(db, () => now)
  expect(await prune()).toBe(0)
  now += 1000
  expect(await prune()).toBe(1)
  expect(await db.query(sql`select key from markers`)).toEqual([{ key: 'long' }])
})
