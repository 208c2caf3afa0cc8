import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { whileLeading } from './lease.ts'

const ttlMs = 600
let database: TestDatabase
let stop: AbortController

beforeEach(async () => {
  database = await openTestDatabase()
  stop = new AbortController()
})

afterEach(async () => {
  stop.abort()
  await database[Symbol.asyncDispose]()
})

/** A process that competes for the lease. Records when it works and throws if two work at once. */
function contend(
  holder: string,
  work: { active: string[]; terms: string[] },
  { db = database.db, termMs = ttlMs }: { readonly db?: Database; readonly termMs?: number } = {},
) {
  const leave = new AbortController()
  stop.signal.addEventListener('abort', () => leave.abort())
  const ended = whileLeading(
    { db, log: recordLog().log, name: 'test', holder, ttlMs: termMs },
    leave.signal,
    async (signal) => {
      work.active.push(holder)
      work.terms.push(work.active.join('+'))
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      work.active.splice(work.active.indexOf(holder), 1)
    },
  )
  return { leave: () => leave.abort(), ended }
}

test('exactly one process leads; when it stops, another takes over without waiting for the lease to expire', async () => {
  const work = { active: [] as string[], terms: [] as string[] }
  const all = ['a', 'b', 'c'].map((holder) => ({ holder, ...contend(holder, work) }))
  await eventually(() => expect(work.active).toHaveLength(1))
  const [first] = work.active
  const leader = all.find(({ holder }) => holder === first)
  leader?.leave()
  await leader?.ended
  const leases = await database.db.query(sql`select holder from leases where holder = ${first}`)
  expect(leases).toEqual([])
  await eventually(() => expect(work.active).toHaveLength(1))
  expect(work.active).not.toEqual([first])
  stop.abort()
  await Promise.all(all.map(({ ended }) => ended))
  expect(work.terms.filter((term) => term.includes('+'))).toEqual([])
  expect(await database.db.query(sql`select * from leases`)).toEqual([])
})

test('a leader that renews keeps the lease', async () => {
  const work = { active: [] as string[], terms: [] as string[] }
  const first = contend('a', work)
  await eventually(() => expect(work.active).toEqual(['a']))
  const second = contend('b', work)
  const expiry = () => database.db.query<{ at: Date }>(sql`select expires_at as at from leases`)
  const [before] = await expiry()
  await eventually(async () => {
    const [row] = await expiry()
    expect(Number(row?.at) - Number(before?.at)).toBeGreaterThan(2 * ttlMs)
  })
  expect(work.terms).toEqual(['a'])
  stop.abort()
  await Promise.all([first.ended, second.ended])
})

test('a leader that is cut off stops before another begins', async () => {
  const own = await openDatabase({ url: database.url, log: recordLog().log, maxPoolSize: 2 })
  const work = { active: [] as string[], terms: [] as string[] }
  const first = contend('a', work, { db: own })
  await eventually(() => expect(work.active).toEqual(['a']))
  const second = contend('b', work)
  await own.close()
  await eventually(() => expect(work.active).toEqual(['b']))
  expect(work.terms).toEqual(['a', 'b'])
  stop.abort()
  await Promise.all([first.ended, second.ended])
})

test('takes over when the lease of a crashed process expires, however seldom it renews', async () => {
  await database.db.query(sql`insert into leases (name, holder, expires_at)
    values ('test', 'crashed', clock_timestamp() + interval '300 ms')`)
  const work = { active: [] as string[], terms: [] as string[] }
  const { ended } = contend('a', work, { termMs: HOUR_MS })
  await eventually(() => expect(work.active).toEqual(['a']))
  stop.abort()
  await ended
})

test('restarts work that fails', async () => {
  let begun = 0
  const ended = whileLeading(
    { db: database.db, log: recordLog().log, name: 'test', holder: 'a', ttlMs: 30 },
    stop.signal,
    async (signal) => {
      begun += 1
      if (begun < 3) throw new Error('broken')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  )
  // On a busy machine a term may also end before it is renewed, and the work begins once more.
  await eventually(() => expect(begun).toBeGreaterThanOrEqual(3))
  stop.abort()
  await ended
})
