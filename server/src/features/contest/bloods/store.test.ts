import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { recordLog } from '../../../../test/log.ts'
import { submissionOf } from '../../../../test/submissions.ts'
import { openDatabase, type Database } from '../../../db/database.ts'
import { UnavailableError } from '../../../lib/errors.ts'
import { submitAll, type Submission } from '../submissions/store.ts'
import { watchBloods } from './store.ts'

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

async function contest(): Promise<TestDatabase> {
  const opened = await openTestDatabase()
  await opened.db.query(sql`
    insert into teams (id, name, email, division) select id, 'Team ' || id, id || '@teams.test', 'open'
    from unnest(${numbered('t', 64)}::text[]) as t (id)`)
  await opened.db.query(sql`
    insert into challenges (id, name, category) select id, 'Challenge ' || id, 'misc'
    from unnest(${numbered('c', 8)}::text[]) as t (id)`)
  return opened
}

/** Retries until the submission is stored, like a client that receives 503 responses. */
async function submitStubbornly(db: Database, submission: Submission): Promise<void> {
  for (;;) {
    try {
      await submitAll(db, [submission])
      return
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
  }
}

interface Announced {
  readonly destination: string
  readonly bloodNumber: number
  readonly challenge: { readonly id: string }
  readonly team: { readonly id: string }
}

async function readAnnounced({ query }: Database): Promise<Announced[]> {
  const rows = await query<{ payload: Announced }>(sql`
    select payload from outbox where kind = 'message'
    order by payload #> '{challenge,id}', payload -> 'bloodNumber', payload -> 'destination'`)
  return rows.map(({ payload }) => payload)
}

async function summary(db: Database): Promise<string[]> {
  const announced = await readAnnounced(db)
  return announced.map(
    ({ destination, bloodNumber, challenge, team }) =>
      `${challenge.id} ${bloodNumber} ${team.id} ${destination}`,
  )
}

test('announces nothing without a destination', async () => {
  await using opened = await contest()
  await submitAll(opened.db, [submissionOf('c0', 't0')])
  await watchBloods(opened.db, { bloodsCount: 3, destinations: ['a'] })
  await watchBloods(opened.db, null)
  await submitAll(opened.db, [submissionOf('c1', 't0')])
  expect(await readAnnounced(opened.db)).toEqual([])
})

test('announces each of the first solves to each destination with all details', async () => {
  await using opened = await contest()
  await watchBloods(opened.db, { bloodsCount: 1, destinations: ['z'] })
  await watchBloods(opened.db, { bloodsCount: 2, destinations: ['a', 'b'] })
  const first = submissionOf('c0', 't0')
  for (const submission of [
    first,
    submissionOf('c0', 't1'),
    submissionOf('c0', 't2'),
    submissionOf('c0', 't0'),
  ])
    await submitAll(opened.db, [submission])
  expect(await summary(opened.db)).toEqual(['c0 1 t0 a', 'c0 1 t0 b', 'c0 2 t1 a', 'c0 2 t1 b'])
  const [solve] = await opened.db.query<{ time: number }>(sql`
    select (extract(epoch from created_at) * 1000)::float8 as time from solves where id = ${first.solveId}`)
  expect((await readAnnounced(opened.db))[0]).toEqual({
    destination: 'a',
    id: first.solveId,
    bloodNumber: 1,
    team: { id: 't0', name: 'Team t0' },
    challenge: { id: 'c0', name: 'Challenge c0', category: 'misc' },
    time: solve?.time,
  })
})

test('solves in one batch are numbered in the order of the standings', async () => {
  await using opened = await contest()
  await watchBloods(opened.db, { bloodsCount: 3, destinations: ['a'] })
  await submitAll(opened.db, [submissionOf('c0', 't9')])
  await submitAll(
    opened.db,
    ['t3', 't1', 't2', 't9'].flatMap((team) => [submissionOf('c0', team), submissionOf('c1', team)]),
  )
  expect(await summary(opened.db)).toEqual([
    'c0 1 t9 a',
    'c0 2 t3 a',
    'c0 3 t1 a',
    'c1 1 t3 a',
    'c1 2 t1 a',
    'c1 3 t2 a',
  ])
})

test('skips solves of banned teams', async () => {
  await using opened = await contest()
  await watchBloods(opened.db, { bloodsCount: 1, destinations: ['a'] })
  await submitAll(opened.db, [submissionOf('c0', 't0')])
  await opened.db.query(sql`delete from outbox`)
  await submitAll(opened.db, [submissionOf('c0', 't1')])
  expect(await summary(opened.db)).toEqual([])
  await opened.db.query(sql`update teams set banned = true where id in ('t0', 't1')`)
  // The position becomes free again.
  await submitAll(opened.db, [submissionOf('c0', 't1'), submissionOf('c0', 't2')])
  expect(await summary(opened.db)).toEqual(['c0 1 t2 a'])
})

test('a retried batch announces nothing twice, even after the message was sent', async () => {
  await using opened = await contest()
  await watchBloods(opened.db, { bloodsCount: 3, destinations: ['a', 'b'] })
  const batch = [submissionOf('c0', 't0'), submissionOf('c0', 't1')]
  await submitAll(opened.db, batch)
  await submitAll(opened.db, batch)
  expect(await readAnnounced(opened.db)).toHaveLength(4)
  await opened.db.query(sql`delete from outbox`)
  await submitAll(opened.db, batch)
  expect(await readAnnounced(opened.db)).toEqual([])
})

test('does not announce solves that were imported from a copy of the contest', async () => {
  await using opened = await contest()
  await watchBloods(opened.db, { bloodsCount: 3, destinations: ['a'] })
  await opened.db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    values (gen_random_uuid(), 'c0', 't0', clock_timestamp() - interval '1 hour', 'unknown')`)
  await submitAll(opened.db, [submissionOf('c0', 't1')])
  expect(await summary(opened.db)).toEqual(['c0 2 t1 a'])
})

test('64 teams on two processes get each first blood once per destination while connections are killed', async () => {
  await using opened = await contest()
  const open = () => openDatabase({ url: opened.url, log: recordLog().log })
  const [other, killer] = await Promise.all([open(), open()])
  await watchBloods(opened.db, { bloodsCount: 3, destinations: ['a', 'b'] })
  let kills = 0
  let isDone = false
  const killing = (async () => {
    while (!isDone && kills < 100) {
      const killed = await killer.query(sql`
        select pg_terminate_backend(pid) from (
          select pid from pg_stat_activity
          where datname = current_database() and state = 'active' and query like '%select submit_batch%' and pid <> pg_backend_pid()
          order by random() limit 2) victims`)
      kills += killed.length
      // Rarely enough for all submissions to succeed eventually.
      await killer.query(sql`select pg_sleep(0.02)`)
    }
  })()
  await Promise.all(
    numbered('t', 64).map(async (team, at) => {
      const db = at % 2 ? opened.db : other
      // Each team starts with another challenge, so that submissions to all challenges run concurrently.
      for (let turn = 0; turn < 8; turn++)
        await submitStubbornly(db, submissionOf(`c${(turn + at) % 8}`, team))
    }),
  )
  isDone = true
  await killing
  expect(kills).toBeGreaterThan(0)
  const first = await opened.db.query<{ line: string }>(sql`
    select challenge_id || ' ' || n || ' ' || team_id || ' ' || destination as line
    from (select *, row_number() over (partition by challenge_id order by created_at, id) as n from solves) solve
      cross join (values ('a'), ('b')) as d (destination)
    where n <= 3 order by challenge_id, n, destination`)
  expect(first).toHaveLength(8 * 3 * 2)
  expect(await summary(opened.db)).toEqual(first.map(({ line }) => line))
  await Promise.all([other.close(), killer.close()])
})
