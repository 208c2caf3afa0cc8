import sql, { raw } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { end, rules, start } from '../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import { createMemoryBus } from '../kv/memory-bus.ts'
import { orderedId } from '../lib/uuid.ts'
import { startFollower, type Follower } from '../world/sync/follower.ts'
import { ranksJob } from './ranks-job.ts'
import { featureKinds, rowKindsOf } from '../wiring/kinds.ts'

const rowKinds = rowKindsOf(featureKinds)

let database: TestDatabase
let follower: Follower
let tick: () => Promise<void>

beforeEach(async () => {
  database = await openTestDatabase()
  const { db } = database
  await db.query(sql`
    insert into teams (id, name, email, division, banned)
    values ('a', 'A', 'a@b.test', 'open', false), ('b', 'B', 'b@b.test', 'student', false),
      ('c', 'C', 'c@b.test', 'open', false), ('x', 'X', 'x@b.test', 'open', true)`)
  await db.query(sql`
    insert into challenges (id, points_min, points_max, hidden) values ('one', 100, 500, false), ('two', 100, 300, false),
      ('hidden', 100, 500, true)`)
  follower = await startFollower({
    db,
    rules,
    rowKinds,
    now: () => end,
    log: recordLog().log,
    bus: createMemoryBus(),
  })
  db.onChange(() => follower.catchUp())
  const job = ranksJob({ db, world: follower.world })
  tick = () => job.run(new AbortController().signal)
})

afterEach(async () => {
  await follower.close()
  await database[Symbol.asyncDispose]()
})

async function solve(challengeId: string, teamId: string, createdAt: number) {
  await database.db.change(async (tx) => {
    await tx.query(sql`
      insert into solves (id, challenge_id, team_id, created_at, ip)
      values (${orderedId()}::uuid, ${challengeId}, ${teamId}, to_timestamp(${createdAt / 1000}::float8), '::1')`)
    tx.changed('solves', [challengeId, teamId])
  })
}

async function change(kind: 'teams' | 'challenges', id: string, assignment: string) {
  await database.db.change(async (tx) => {
    await tx.query(sql`update ${raw(kind)} set ${raw(assignment)} where id = ${id}`)
    tx.changed(kind, [id])
  })
}

/** challenge/team=global.division, by time. */
async function ranks(): Promise<string> {
  const rows = await database.db.query<{ text: string }>(sql`
    select challenge_id || '/' || team_id || coalesce('=' || global_place || '.' || division_place, '') as text
    from solves order by created_at, id`)
  return rows.map((row) => row.text).join(' ')
}

test('records the ranks at solve time once, and every reader sees them', async () => {
  await solve('one', 'a', start + MINUTE_MS)
  await solve('one', 'b', start + 2 * MINUTE_MS)
  await tick()
  expect(await ranks()).toBe('one/a=1.1 one/b=2.1')
  await solve('two', 'b', start + 3 * MINUTE_MS)
  await solve('one', 'c', start + 4 * MINUTE_MS)
  await tick()
  expect(await ranks()).toBe('one/a=1.1 one/b=2.1 two/b=1.1 one/c=3.2')
  expect(follower.world().solve('two', 'b')).toMatchObject({ globalRank: 1, divisionRank: 1 })
  expect(follower.world().solve('one', 'a')).toMatchObject({ globalRank: 1 })
})

test('records the ranks right after each solve, regardless of later solves', async () => {
  await solve('one', 'a', start + MINUTE_MS)
  await solve('one', 'c', start + 2 * MINUTE_MS)
  await solve('two', 'c', start + 3 * MINUTE_MS)
  expect(follower.world().solve('one', 'a')).toMatchObject({ globalRank: 1, divisionRank: 1 })
  await tick()
  expect(await ranks()).toBe('one/a=1.1 one/c=2.2 two/c=1.1')
  expect(follower.world().standing('a')).toMatchObject({ globalRank: 2 })
})

test('a run with nothing to record writes nothing', async () => {
  await solve('one', 'a', start + MINUTE_MS)
  await tick()
  const { seq } = follower.freshness()
  await tick()
  await tick()
  expect(await database.db.query(sql`select max(seq) as seq from changes`)).toEqual([{ seq }])
})

test('solves that do not count have no ranks until they do', async () => {
  await solve('one', 'x', start + MINUTE_MS)
  await solve('hidden', 'a', start + 2 * MINUTE_MS)
  await solve('one', 'b', end + MINUTE_MS)
  await solve('one', 'a', start + 3 * MINUTE_MS)
  await tick()
  expect(await ranks()).toBe('one/x hidden/a one/a=1.1 one/b')

  await change('teams', 'x', 'banned = false')
  await tick()
  expect(await ranks()).toBe('one/x=1.1 hidden/a one/a=1.1 one/b')
  await change('challenges', 'hidden', 'hidden = false')
  await tick()
  expect(await ranks()).toBe('one/x=1.1 hidden/a=1.1 one/a=1.1 one/b')
})

test('reads thousands of solves that do not count page by page without delaying new ones', async () => {
  const { db } = database
  await db.query(sql`
    insert into teams (id, name, email, division) select 't' || i, 'T' || i, i || '@t.test', 'open'
    from generate_series(1, 2500) i`)
  await db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    select gen_random_uuid(), 'hidden', 't' || i, to_timestamp(${start / 1000}::float8) + i * interval '1 second', '::1'
    from generate_series(1, 2500) i`)
  await db.change(async (tx) => {
    const rows = await tx.query<{ id: string }>(sql`select id from teams`)
    const ids = rows.map(({ id }) => id)
    tx.changed('teams', ids)
    tx.changed(
      'solves',
      ids.flatMap((id) => ['hidden', id]),
    )
  })
  const ranked = async () => (await db.query(sql`select 1 from solves where global_place is not null`)).length
  await tick()
  await solve('one', 'a', start + 60 * MINUTE_MS)
  await tick()
  expect(await ranked()).toBe(1)

  await change('challenges', 'hidden', 'hidden = false')
  // One run may be in flight; the next one sees the change.
  for (let i = 0; i < 6; i += 1) await tick()
  expect(await ranked()).toBe(2501)
})

test('a solve that this process has not seen yet is recorded in the next run', async () => {
  const { db } = database
  await db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    values (gen_random_uuid(), 'one', 'a', to_timestamp(${start / 1000}::float8), '::1')`)
  await tick()
  await db.query(sql`insert into changes (kind, ids) values ('solves', '{one,a}')`)
  await follower.catchUp()
  await tick()
  expect(await ranks()).toBe('one/a=1.1')
})
