import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../server/test/database.ts'
import { checkLedger, type Ledger } from './ledger.ts'

// The fault runs only prove something if a lost or repeated write is reported. Each test damages one row.

const LEDGER: Ledger = {
  challengeIds: ['one'],
  teams: ['team 1', 'team 2'],
  solves: ['team 1/one', 'team 2/one'],
  wrong: ['flag{wrong team 1 one}', 'flag{wrong team 2 one}'],
  pushes: ['team 1/1', 'team 2/2'],
  uploads: [],
}

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  // The schema refuses a repeated team or solve. The check must not depend on that.
  await database.db.query(sql`drop index teams_name_key, teams_name_case_key`)
  await database.db.query(sql`alter table solves drop constraint solves_once`)
})
afterAll(() => database[Symbol.asyncDispose]())

beforeEach(async () => {
  const { db } = database
  await db.query(sql`truncate teams, challenges, solves, submissions cascade`)
  await db.query(sql`insert into challenges (id) values ('one')`)
  for (const n of [1, 2]) await addTeam(n)
})

/** A team with a wrong flag and a solve, each with its row of the audit, as the acknowledged requests leave them. */
async function addTeam(n: number): Promise<void> {
  const { db } = database
  const solveId = randomUUID()
  await db.query(sql`insert into teams (id, name, email, division)
    values (${`t${n}`}, ${`team ${n}`}, ${`team-${n}@ctf.example`}, 'open')`)
  await db.query(sql`insert into solves (id, challenge_id, team_id, created_at, ip)
    values (${solveId}, 'one', ${`t${n}`}, now(), '203.0.113.7')`)
  await db.query(pushed(n))
  await db.query(audit(n, { submittedFlag: `flag{wrong team ${n} one}` }, null))
  await db.query(audit(n, { submittedFlag: 'flag{one}' }, solveId))
}

function pushed(n: number): Sql {
  return sql`insert into feed_events (challenge_id, team_id, delta, at) values ('one', ${`t${n}`}, ${n}, now())`
}

function audit(n: number, details: object, solveId: string | null): Sql {
  const result = solveId === null ? 'incorrect' : 'correct'
  return sql`insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
    values (${randomUUID()}, 'flag', 'one', ${`t${n}`}, '203.0.113.7', ${result}, ${JSON.stringify(details)},
      ${solveId}, now())`
}

function copyAudit(result: string): Sql {
  return sql`insert into submissions
    select gen_random_uuid(), kind, challenge_id, team_id, ip, result, details, related_id, created_at
    from submissions where team_id = 't1' and result = ${result}`
}

test('reports nothing if every acknowledged write has one row', async () => {
  expect(await checkLedger(database.url, LEDGER)).toEqual({ lost: 0, twice: 0 })
})

test.each([
  // A team takes its solve and its score with it, and the audit of the solve can no longer be assigned.
  ['team', 4, sql`delete from teams where id = 't1'`],
  // The audit of a solve that is missing is missing too.
  ['solve', 2, sql`delete from solves where team_id = 't1'`],
  ['solve in the audit', 1, sql`delete from submissions where team_id = 't1' and result = 'correct'`],
  ['pushed score', 1, sql`delete from feed_events where team_id = 't1'`],
  ['wrong flag', 1, sql`delete from submissions where team_id = 't1' and result = 'incorrect'`],
])('reports a lost %s', async (_, lost, damage) => {
  await database.db.query(damage)
  expect(await checkLedger(database.url, LEDGER)).toEqual({ lost, twice: 0 })
})

test.each([
  [
    'team',
    sql`insert into teams (id, name, email, division) values ('t3', 'team 1', 'team-3@ctf.example', 'open')`,
  ],
  [
    'solve',
    sql`insert into solves (id, challenge_id, team_id, created_at, ip)
      select gen_random_uuid(), challenge_id, team_id, created_at, ip from solves where team_id = 't1'`,
  ],
  ['solve in the audit', copyAudit('correct')],
  ['pushed score', pushed(1)],
  ['wrong flag', copyAudit('incorrect')],
])('reports a %s that exists twice', async (_, damage) => {
  await database.db.query(damage)
  expect(await checkLedger(database.url, LEDGER)).toEqual({ lost: 0, twice: 1 })
})
