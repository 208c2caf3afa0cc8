import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database.ts'
import { recordLog } from '../../../../test/log.ts'
import { submissionOf } from '../../../../test/submissions.ts'
import { openDatabase, type Database } from '../../../db/database.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { submitAll, type Outcome } from './store.ts'

const noBus = { publish: async () => {}, subscribe: () => () => {} }

function recorder(db: Database): Recorder {
  return createRecorder({ db, bus: noBus, caughtUp: async () => {}, log: recordLog().log })
}

async function addTeams(db: Database, ids: readonly string[]): Promise<void> {
  await db.query(sql`
    insert into teams (id, name, email, division) select id, id, id || '@teams.test', 'open'
    from unnest(${ids}::text[]) as t (id)`)
}

async function addChallenges(db: Database, ids: readonly string[]): Promise<void> {
  await db.query(sql`insert into challenges (id) select unnest(${ids}::text[]) on conflict do nothing`)
}

async function contest() {
  const opened = await openTestDatabase()
  await addTeams(opened.db, ['t1', 't2'])
  await addChallenges(opened.db, ['c1', 'c2'])
  return opened
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`)
}

interface Audit {
  readonly result: string
  readonly relatedId: string | null
  readonly details: object
}

function readAudit(db: Database): Promise<Audit[]> {
  return db.query<Audit>(sql`select result, related_id as "relatedId", details from submissions order by id`)
}

interface Totals {
  readonly solves: number
  readonly correct: number
  readonly audited: number
  readonly noted: number
}

async function readTotals(db: Database): Promise<Totals> {
  const [totals] = await db.query<Totals>(sql`
    select (select count(*) from solves) as solves,
      (select count(*) from submissions where result = 'correct') as correct,
      (select count(*) from submissions) as audited,
      (select coalesce(sum(cardinality(ids)) / 2, 0)::int from changes where kind = 'solves') as noted`)
  return totals!
}

test('a batch returns the result of each submission', async () => {
  await using opened = await contest()
  await opened.db.query(sql`update teams set banned = true where id = 't2'`)
  await opened.db.query(sql`insert into challenges (id, scoring_kind) values ('fed', 'dynamic')`)
  const items = [
    submissionOf('c1', 't1', false),
    submissionOf('c1', 't1'),
    submissionOf('c1', 't1'),
    submissionOf('c1', 't2'),
    submissionOf('c1', 't2', false),
    submissionOf('c1', 'nobody'),
    submissionOf('nothing', 't1'),
    submissionOf('fed', 't1'),
  ]
  expect(await submitAll(opened.db, items)).toEqual([
    'incorrect',
    'correct',
    'already_solved',
    'banned',
    'banned',
    'no_team',
    'no_challenge',
    'no_challenge',
  ])
  // Only the first three are stored in the audit.
  expect(await readAudit(opened.db)).toEqual([
    { result: 'incorrect', relatedId: null, details: { submittedFlag: 'flag{x}' } },
    { result: 'correct', relatedId: items[1]?.solveId, details: { submittedFlag: 'flag{x}' } },
    { result: 'already_solved', relatedId: null, details: { submittedFlag: 'flag{x}' } },
  ])
  expect(await readTotals(opened.db)).toEqual({ solves: 1, correct: 1, audited: 3, noted: 1 })
})

test('stores what matched with the solve but not with a repetition', async () => {
  await using opened = await contest()
  const details = { submittedFlag: 'flag{x}', matchedFlagIndex: 0, matchedFlagProvider: 'flags/static' }
  await submitAll(opened.db, [{ ...submissionOf('c1', 't1'), details }])
  await submitAll(opened.db, [{ ...submissionOf('c1', 't1'), details }])
  expect(await readAudit(opened.db)).toMatchObject([
    { result: 'correct', details },
    { result: 'already_solved', details: { submittedFlag: 'flag{x}' } },
  ])
  const [, repeated] = await readAudit(opened.db)
  expect(Object.keys(repeated!.details)).toEqual(['submittedFlag'])
})

test('the change log has the ids of every solved pair in one list, and nothing for wrong flags', async () => {
  await using opened = await contest()
  await submitAll(opened.db, [submissionOf('c1', 't1', false)])
  await submitAll(opened.db, [submissionOf('c1', 't1'), submissionOf('c2', 't1'), submissionOf('c1', 't2')])
  const rows = await opened.db.query(sql`select kind, ids from changes`)
  expect(rows).toEqual([{ kind: 'solves', ids: ['c1', 't1', 'c2', 't1', 'c1', 't2'] }])
})

test('a wrong flag does not wait for the change lock', async () => {
  await using opened = await contest()
  const outcomes = await opened.db.change(() => submitAll(opened.db, [submissionOf('c1', 't1', false)]))
  expect(outcomes).toEqual(['incorrect'])
})

test('a retried batch returns the same results and adds no row', async () => {
  await using opened = await contest()
  const items = [submissionOf('c1', 't1'), submissionOf('c1', 't1'), submissionOf('c1', 't2', false)]
  const first = await submitAll(opened.db, items)
  expect(await submitAll(opened.db, items)).toEqual(first)
  expect(first).toEqual(['correct', 'already_solved', 'incorrect'])
  expect(await readTotals(opened.db)).toEqual({ solves: 1, correct: 1, audited: 3, noted: 1 })
})

test('a batch retried after its solve was revoked does not solve again', async () => {
  await using opened = await contest()
  const items = [submissionOf('c1', 't1')]
  await submitAll(opened.db, items)
  await opened.db.query(sql`delete from solves`)
  expect(await submitAll(opened.db, items)).toEqual(['correct'])
  expect(await readTotals(opened.db)).toMatchObject({ solves: 0, correct: 1 })
})

test('of 64 concurrent copies of a correct flag, one solves', async () => {
  await using opened = await contest()
  const record = recorder(opened.db)
  const outcomes = await Promise.all(Array.from({ length: 64 }, () => record(submissionOf('c1', 't1'))))
  expect(outcomes.filter((outcome) => outcome === 'correct')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'already_solved')).toHaveLength(63)
  expect(await readTotals(opened.db)).toEqual({ solves: 1, correct: 1, audited: 64, noted: 1 })
})

test('of 64 copies on two processes one solves, for each of 40 pairs', async () => {
  await using opened = await contest()
  await using other = await openSecond(opened.url)
  const teams = numbered('many', 40)
  await addTeams(opened.db, teams)
  const records = [recorder(opened.db), recorder(other.db)]
  const outcomes = await Promise.all(
    numbered('', 64).flatMap((_, copy) =>
      teams.map((team) => records[copy % 2]!(submissionOf('c1', team, true))),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'correct')).toHaveLength(40)
  expect(await readTotals(opened.db)).toEqual({ solves: 40, correct: 40, audited: 40 * 64, noted: 40 })
})

test('solves are dated in the order of their commits', async () => {
  await using opened = await contest()
  await using other = await openSecond(opened.url)
  const teams = numbered('many', 200)
  await addTeams(opened.db, teams)
  const records = [recorder(opened.db), recorder(other.db)]
  await Promise.all(teams.map((team, index) => records[index % 2]!(submissionOf('c1', team))))
  const rows = await opened.db.query<{ teamId: string }>(sql`
    select ids[i + 1] as "teamId" from changes, generate_series(1, cardinality(ids), 2) as i order by seq, i`)
  const dated = await opened.db.query<{ teamId: string }>(sql`
    select team_id as "teamId" from solves join changes on team_id = any(ids) order by created_at, seq, solves.id`)
  expect(dated.map(({ teamId }) => teamId)).toEqual(rows.map(({ teamId }) => teamId))
})

test('nothing is lost or stored twice while connections are killed', async () => {
  await using opened = await contest()
  await using killer = await openSecond(opened.url)
  const teams = numbered('many', 30)
  await addTeams(opened.db, teams)
  const record = recorder(opened.db)
  let kills = 0
  let answered = 0
  let isDone = false

  async function kill(): Promise<void> {
    while (!isDone) {
      const before = answered
      const rows = await killer.db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      kills += rows.length
      // Waits until a batch succeeds. On a slow machine none would otherwise, because retries are limited.
      do await killer.db.query(sql`select pg_sleep(0.05)`)
      while (!isDone && answered === before)
    }
  }
  async function play(team: string): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (let turn = 0; turn < 20; turn++) {
      outcomes.push(await record(submissionOf(turn % 2 ? 'c1' : 'c2', team, turn % 5 > 2)))
      answered += 1
    }
    return outcomes
  }
  const killing = kill()
  const outcomes = await Promise.all(teams.map(play)).finally(() => {
    isDone = true
    return killing
  })
  expect(kills).toBeGreaterThan(0)
  expect(outcomes.flat()).toHaveLength(600)
  expect(outcomes.flat().filter((outcome) => outcome === 'correct')).toHaveLength(60)
  expect(await readTotals(opened.db)).toEqual({ solves: 60, correct: 60, audited: 600, noted: 60 })
})

test('a batch whose connection breaks while it waits for the lock is committed once', async () => {
  await using opened = await contest()
  await using killer = await openSecond(opened.url)
  const record = recorder(opened.db)
  const outcomes = await killer.db.change(async () => {
    const waiting = [record(submissionOf('c1', 't1')), record(submissionOf('c1', 't2', false))]
    for (;;) {
      // On a separate connection, because a transaction sees a fixed snapshot of pg_stat_activity.
      const rows = await killer.db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%submit_batch%'`)
      if (rows.length > 0) return waiting
    }
  })
  expect(await Promise.all(outcomes)).toEqual(['correct', 'incorrect'])
  expect(await readTotals(opened.db)).toEqual({ solves: 1, correct: 1, audited: 2, noted: 1 })
})

test('deleting challenges and teams concurrently leaves no orphans and fails no submission', async () => {
  await using opened = await contest()
  await using other = await openSecond(opened.url)
  const teams = numbered('many', 40)
  await addTeams(opened.db, teams)
  const record = recorder(opened.db)
  const challenges = numbered('deleted', 10)

  async function makeAndDelete(): Promise<void> {
    for (const id of challenges) {
      await addChallenges(other.db, [id])
      await Promise.all(teams.slice(0, 5).map((team) => record(submissionOf(id, team))))
      // Deletes without the change lock, like an operator who works in the database directly.
      await other.db.query(sql`delete from challenges where id = ${id}`)
    }
    await other.db.query(sql`delete from teams where id = any(${teams.slice(20)})`)
  }
  const outcomes = await Promise.all([
    makeAndDelete(),
    ...challenges.flatMap((id) => teams.map((team) => record(submissionOf(id, team)))),
  ])
  const known = new Set<Outcome | void>(['correct', 'already_solved', 'no_challenge', 'no_team'])
  expect(outcomes.slice(1).filter((outcome) => !known.has(outcome))).toEqual([])
  const { solves } = await readTotals(opened.db)
  const [kept] = await opened.db.query<{ count: number }>(sql`
    select count(*) from solves join challenges on challenges.id = challenge_id join teams on teams.id = team_id`)
  expect(kept?.count).toBe(solves)
})

test('the response to a solve is sent after the world has caught up, and other processes are notified', async () => {
  await using opened = await contest()
  const events: string[] = []
  const record = createRecorder({
    db: opened.db,
    bus: { ...noBus, publish: async (channel) => void events.push(channel) },
    caughtUp: async () => void events.push('caught up'),
    log: recordLog().log,
  })
  await record(submissionOf('c1', 't1', false))
  expect(events).toEqual([])
  await record(submissionOf('c1', 't1'))
  expect(events).toEqual(['leaderboard:force-update', 'caught up'])
})

test('a solve is never dated later than its submission allows, and its audit row has the time of storage', async () => {
  await using opened = await contest()
  const past = Date.UTC(2020, 0, 1)
  await submitAll(opened.db, [
    { ...submissionOf('c1', 't1'), notAfter: past },
    submissionOf('c2', 't1'),
    { ...submissionOf('c1', 't2'), notAfter: Date.UTC(9000, 0, 1) },
  ])
  const rows = await opened.db.query<{ key: string; isClamped: boolean; isAuditClamped: boolean }>(sql`
    select solves.challenge_id || solves.team_id as key, solves.created_at = ${new Date(past)} as "isClamped",
      submissions.created_at = ${new Date(past)} as "isAuditClamped"
    from solves join submissions on related_id = solves.id::text order by key`)
  expect(rows).toEqual([
    { key: 'c1t1', isClamped: true, isAuditClamped: false },
    { key: 'c1t2', isClamped: false, isAuditClamped: false },
    { key: 'c2t1', isClamped: false, isAuditClamped: false },
  ])
})

test('a solve counts even if the wake-up could not be published', async () => {
  await using opened = await contest()
  const { log, lines } = recordLog()
  const fail = () => Promise.reject(new Error('away'))
  const record = createRecorder({ db: opened.db, bus: { ...noBus, publish: fail }, caughtUp: fail, log })
  expect(await record(submissionOf('c1', 't1'))).toBe('correct')
  expect(lines).toHaveLength(2)
})

async function openSecond(url: string): Promise<{ readonly db: Database } & AsyncDisposable> {
  const db = await openDatabase({ url, maxPoolSize: 4, log: recordLog().log })
  return { db, [Symbol.asyncDispose]: () => db.close() }
}
