import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { pruneMarkers, pruneRegistrations } from './prune-expired.ts'

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

test('deletes registrations after they expire, not before', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into pending_registrations (id, email, name, division, expires_at)
    values ('a', 'a@b.test', 'a', 'open', '2026-01-01T00:00:01Z'), ('b', 'b@b.test', 'b', 'open', '2026-01-01T00:00:02Z')`)
  let now = Date.UTC(2026, 0, 1)
  const prune = pruneRegistrations(db, () => now)
  expect(await prune()).toBe(0)
  now += 1500
  expect(await prune()).toBe(1)
  expect(await db.query(sql`select id from pending_registrations`)).toEqual([{ id: 'b' }])
})
