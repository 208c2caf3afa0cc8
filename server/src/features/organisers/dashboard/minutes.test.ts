import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { createMinutes, type Minute } from './minutes.ts'
import { activeTeams, minuteCounts } from './store.ts'

/** A full minute far from the current time. These tests use their own clock. */
const t0 = Date.UTC(2031, 0, 1)

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const submit = (at: number, count = 1, result = 'incorrect') =>
  database.db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    select gen_random_uuid(), 'flag', 'a', 't' || n % 7, '203.0.113.1', ${result}, '{}', ${new Date(at)}
    from generate_series(1, ${count}::int) as n`)
const counts = (minutes: readonly Minute[]) => minutes.map(({ count }) => count)

test('counts each minute, and completed minutes only once', async () => {
  const { db } = database
  const read = createMinutes()
  await submit(t0 - 60 * MINUTE_MS, 9)
  await submit(t0 - 59 * MINUTE_MS, 1)
  await submit(t0 - MINUTE_MS - 1, 2)
  await submit(t0 - 1, 3)
  await submit(t0 + 10, 3)
  await submit(t0 + 10, 1, 'correct')
  const minutes = await read(db, t0 + 20)
  expect(minutes.slice(58)).toEqual([
    { count: 3, correct: 0 },
    { count: 4, correct: 1 },
  ])
  const first = counts(minutes)
  expect([first[0], first[57], first[58], first[59]]).toEqual([1, 2, 3, 4])
  expect(first.reduce((sum, count) => sum + count)).toBe(10)

  // A late commit in a minute that may still change is counted; one in an older minute is not.
  await submit(t0 - 5)
  await submit(t0 - 30 * MINUTE_MS)
  const later = counts(await read(db, t0 + 30))
  expect([later[29], later[58]]).toEqual([0, 4])

  const moved = counts(await read(db, t0 + 5 * MINUTE_MS))
  expect(moved.slice(52)).toEqual([2, 4, 4, 0, 0, 0, 0, 0])
  // After hours without a request, no old counts are left.
  expect(counts(await read(db, t0 + 500 * MINUTE_MS))).toEqual(Array.from({ length: 60 }, () => 0))
})

test('reads only the rows of the window from a large audit', async () => {
  const { db } = database
  await db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    select gen_random_uuid(), 'flag', 'c' || n % 100, 't' || n % 500, '203.0.113.1', 'incorrect', '{}',
      ${new Date(t0)}::timestamptz - n * interval '1 second'
    from generate_series(1, 100000) as n`)
  await db.query(sql`analyze submissions`)
  for (const statement of [minuteCounts(t0 - 2 * MINUTE_MS), activeTeams(t0 - 15 * MINUTE_MS)]) {
    const explained = sql`explain (analyze, buffers, format json) ${statement}`
    const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained)
    const plan = row?.['QUERY PLAN'][0].Plan
    const scans = scansOf(plan)
    // The planner may choose any index, but must not read the whole table.
    expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan')
    for (const scan of scans) expect(scan['Actual Rows']).toBeLessThan(1_500)
    expect((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)).toBeLessThan(300)
  }
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}

/** Plan nodes that read the table or an index. */
function scansOf(plan: Plan | undefined): Plan[] {
  if (!plan) return []
  const below = (plan.Plans ?? []).flatMap(scansOf)
  return plan['Node Type'].includes('Scan') ? [plan, ...below] : below
}
