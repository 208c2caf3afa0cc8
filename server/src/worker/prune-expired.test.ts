import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import {
  pruneDecidedRegistrations,
  pruneMarkers,
  pruneRegistrations,
  pruneSessions,
} from './prune-expired.ts'

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

test('deletes sessions after they expire, and processes forget the ended ones', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`insert into persons (id, name) values ('p', 'Ada')`)
  await db.query(sql`
    insert into person_sessions (id, person_id, methods, created_at, last_used_at, expires_at, ended_at)
    select id, 'p', '{mail}', '2026-01-01Z', '2026-01-01Z', expires_at::timestamptz, ended_at::timestamptz
    from (values ('open', '2026-01-01T00:00:01Z', null), ('ended', '2026-01-01T00:00:01Z', '2026-01-01Z'),
      ('later', '2026-01-01T00:00:09Z', '2026-01-01Z')) as given (id, expires_at, ended_at)`)
  let now = Date.UTC(2026, 0, 1)
  const prune = pruneSessions(db, () => now)
  expect(await prune()).toBe(0)
  now += 1000
  expect(await prune()).toBe(2)
  expect(await db.query(sql`select id from person_sessions`)).toEqual([{ id: 'later' }])
  expect(await db.query(sql`select ids from changes where kind = 'ended-sessions'`)).toEqual([
    { ids: ['ended'] },
  ])
})

test('deletes registrations a month after their decision, and none that waits', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into registration_requests (id, name, division, waits_for, state, created_at, decided_at)
    select id, id, 'open', 'approval', state, now() - interval '90 days', now() - days * interval '1 day'
    from (values ('waiting', 'waiting', null::integer), ('fresh', 'refused', 29), ('old', 'refused', 31)) as given (id, state, days)`)
  const prune = pruneDecidedRegistrations(db)
  expect(await prune()).toBe(1)
  expect(await prune()).toBe(0)
  expect(await db.query(sql`select id from registration_requests order by id`)).toEqual([
    { id: 'fresh' },
    { id: 'waiting' },
  ])
})
