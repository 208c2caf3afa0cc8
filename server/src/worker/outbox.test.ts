import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import { addAllToOutbox, addToOutbox, OUTBOX_CHANNEL } from '../db/outbox.ts'
import { createMemoryBus } from '../kv/memory-bus.ts'
import { TryLaterError, UnreachableError } from '../lib/errors.ts'
import { runPeriodically } from './job.ts'
import { outboxJob, retryDelayMs, type OutboxOptions } from './outbox.ts'

let database: TestDatabase
const bus = createMemoryBus()
const dispatchers: { stop: AbortController; ended: Promise<void> }[] = []

beforeEach(async () => {
  database = await openTestDatabase()
})

afterEach(async () => {
  await Promise.all(dispatchers.splice(0).map(end))
  await database[Symbol.asyncDispose]()
})

function start(options: Pick<OutboxOptions, 'senders'> & Partial<OutboxOptions>) {
  const stop = new AbortController()
  const { log, lines } = recordLog()
  const ended = runPeriodically(outboxJob({ db: database.db, log, ...options }), { bus, log }, stop.signal)
  dispatchers.push({ stop, ended })
  return { stop, ended, lines }
}

async function end({ stop, ended }: { stop: AbortController; ended: Promise<void> }) {
  stop.abort()
  await ended
}

async function add(kind: 'mail' | 'message', ...tokens: string[]) {
  await database.db.transaction(async (tx) => {
    for (const token of tokens) await tx.query(addToOutbox(kind, { token }))
  })
  await bus.publish(OUTBOX_CHANNEL)
}

interface Row {
  attempts: number
  failed: boolean
  error: string | null
  waitMs: number
}

function rows() {
  return database.db.query<Row>(sql`
    select attempts, failed_at is not null as failed, last_error as error,
      (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as "waitMs"
    from outbox order by created_at, id`)
}

const tokenOf = (payload: unknown) => (payload as { token: string }).token

test('rows that are claimed while the process stops are due immediately for the next process', async () => {
  await add('mail', 'a', 'b')
  const stop = new AbortController()
  const sent: unknown[] = []
  const db: OutboxOptions['db'] = {
    async query(...statement) {
      const found = await database.db.query(...statement)
      stop.abort()
      return found as never
    },
  }
  const mail = async (payload: unknown) => void sent.push(payload)
  const job = outboxJob({ db, log: recordLog().log, senders: { mail } })
  await job.run(stop.signal)
  await job.end?.()
  expect(sent).toEqual([])
  const left = await rows()
  expect(left.map(({ attempts }) => attempts)).toEqual([0, 0])
  expect(left.every(({ waitMs }) => waitMs <= 0)).toBe(true)
})

test('two dispatchers send each of 200 rows once', async () => {
  const sent: string[] = []
  const mail = async (payload: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    sent.push(tokenOf(payload))
  }
  start({ senders: { mail } })
  start({ senders: { mail } })
  const tokens = Array.from({ length: 200 }, (_, i) => `token ${i}`)
  await Promise.all([add('mail', ...tokens.slice(0, 100)), add('mail', ...tokens.slice(100))])
  await eventually(async () => expect(await rows()).toEqual([]))
  expect(sent.sort()).toEqual(tokens.sort())
})

test('keeps sending to others while one receiver is slow', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const begun: string[] = []
  const sent: string[] = []
  const mail = async (payload: unknown) => {
    begun.push(tokenOf(payload))
    await held
  }
  const message = async (payload: unknown) => void sent.push(tokenOf(payload))
  start({ senders: { mail, message }, concurrency: 2 })
  await add('mail', 'a', 'b', 'c')
  await eventually(() => expect(begun).toHaveLength(2))
  await add('message', 'd', 'e', 'f', 'g')
  await eventually(() => expect(sent.toSorted()).toEqual(['d', 'e', 'f', 'g']))
  expect(begun).toHaveLength(2)
  release()
  await eventually(async () => expect(await rows()).toEqual([]))
  expect(begun).toHaveLength(3)
})

test('does not count attempts without a connection, and sends in turn soon after', async () => {
  const sent: string[] = []
  let refusals = 20
  const mail = async (payload: unknown) => {
    if (refusals-- > 0) throw new UnreachableError('refused', 1)
    sent.push(tokenOf(payload))
  }
  const { lines } = start({ senders: { mail }, concurrency: 1 })
  await add('mail', 'a', 'b')
  await eventually(() => expect(sent.toSorted()).toEqual(['a', 'b']))
  // More than a mail has attempts; the circuit reports the service.
  expect(refusals).toBeLessThan(0)
  expect(lines).toEqual([])
})

test('respects the concurrency, and a slow delivery does not block others', async () => {
  let active = 0
  let most = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const sent: string[] = []
  const mail = async (payload: unknown) => {
    active += 1
    most = Math.max(most, active)
    await (tokenOf(payload) === 'slow' ? held : new Promise((resolve) => setImmediate(resolve)))
    active -= 1
    sent.push(tokenOf(payload))
  }
  start({ senders: { mail }, concurrency: 3 })
  await add('mail', 'slow', ...Array.from({ length: 20 }, (_, i) => `fast ${i}`))
  await eventually(() => expect(sent).toHaveLength(20))
  await add('mail', 'late')
  await eventually(() => expect(sent).toContain('late'))
  release()
  await eventually(async () => expect(await rows()).toEqual([]))
  expect(most).toBe(3)
})

test('retries a failing sender with increasing delays', async () => {
  let tries = 0
  const mail = async () => {
    tries += 1
    if (tries < 3) throw new Error('mailbox busy')
  }
  const { lines } = start({ senders: { mail }, firstRetryMs: 1 })
  await add('mail', 'a')
  await eventually(async () => expect(await rows()).toEqual([]))
  expect(tries).toBe(3)
  expect(lines.map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ attempts: 1, reason: 'mailbox busy', isLast: false }),
    expect.objectContaining({ attempts: 2, reason: 'mailbox busy', isLast: false }),
  ])
  expect(JSON.stringify(lines)).not.toContain('token')
})

test('gives up a mail after twelve attempts within a day', async () => {
  const waits = Array.from({ length: 11 }, (_, i) => retryDelayMs(i + 1, 5000))
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000
  expect(hours).toBeGreaterThan(18)
  expect(hours * 1.2).toBeLessThan(28)

  await add('mail', 'a')
  await database.db.query(sql`update outbox set attempts = 11`)
  start({ senders: { mail: () => Promise.reject(new Error('no such mailbox')) } })
  await eventually(async () => expect(await rows()).toMatchObject([{ attempts: 12, failed: true }]))
  expect(await rows()).toMatchObject([{ error: 'no such mailbox' }])
})

test('mail is not sent after it expires, and not retried if it would expire first', async () => {
  const sent: string[] = []
  const mail = async (payload: unknown) => {
    sent.push(tokenOf(payload))
    throw new Error('mailbox busy')
  }
  await add('mail', 'late')
  await database.db.query(sql`update outbox set created_at = created_at - interval '1 hour'`)
  await add('mail', 'short', 'long')
  const lives: Record<string, number> = { late: 3_600_000, short: 4_000 }
  start({ senders: { mail }, lifetimeMs: (_, payload) => lives[tokenOf(payload)] ?? Infinity })
  await eventually(async () => expect((await rows()).every(({ error }) => error !== null)).toBe(true))
  expect(sent.sort()).toEqual(['long', 'short'])
  expect((await rows()).map(({ failed, error }) => [failed, error])).toEqual(
    expect.arrayContaining([
      [true, 'expired before it could be sent'],
      [true, 'mailbox busy'],
      [false, 'mailbox busy'],
    ]),
  )
})

test('a message is tried five times', async () => {
  await add('message', 'a')
  start({ senders: { message: () => Promise.reject(new Error('gone')) }, firstRetryMs: 1 })
  await eventually(async () =>
    expect(await rows()).toMatchObject([{ attempts: 5, failed: true, error: 'gone' }]),
  )
})

test('honours Retry-After of a busy destination without counting an attempt', async () => {
  const busy = new TryLaterError('slow down', 120_000)
  let tries = 0
  const message = async () => {
    tries += 1
    throw busy
  }
  await database.db.query(
    addAllToOutbox(
      'message',
      ['a', 'b', 'a'].map((destination) => ({ destination })),
    ),
  )
  await database.db.query(sql`
    update outbox set due_at = case when payload ->> 'destination' = 'a' then due_at else due_at + interval '1 hour' end`)
  start({ senders: { message }, concurrency: 1 })
  await bus.publish(OUTBOX_CHANNEL)
  await eventually(async () =>
    expect((await rows()).filter(({ waitMs }) => waitMs > 115_000 && waitMs < 145_000)).toHaveLength(2),
  )
  // One of the two was attempted; the other was delayed with it.
  expect(tries).toBe(1)
  expect((await rows()).map(({ attempts, failed }) => ({ attempts, failed }))).toEqual(
    Array.from({ length: 3 }, () => ({ attempts: 0, failed: false })),
  )
})

test('a row that is locked when its receiver is busy is postponed all the same', async () => {
  await add('message', 'a')
  let fail: (error: Error) => void = () => {}
  const sending = new Promise<void>((_, reject) => (fail = reject))
  let hasBegun = false
  start({ senders: { message: () => ((hasBegun = true), sending) } })
  await eventually(() => expect(hasBegun).toBe(true))
  const { db } = database
  await db.transaction(async (tx) => {
    await tx.query(sql`select from outbox for update`)
    fail(new TryLaterError('slow down', 600_000))
    await eventually(async () => {
      const waiting = await db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      expect(waiting).toHaveLength(1)
    })
  })
  await eventually(async () => {
    const [row] = await rows()
    expect(row).toMatchObject({ attempts: 0, error: 'slow down' })
    expect(row?.waitMs).toBeGreaterThan(500_000)
  })
})

test('gives up a receiver that stays busy for an hour like any other', async () => {
  await add('message', 'a')
  await database.db.query(
    sql`update outbox set attempts = 4, created_at = created_at - interval '61 minutes'`,
  )
  start({ senders: { message: () => Promise.reject(new TryLaterError('slow down', 1)) } })
  await eventually(async () => expect(await rows()).toMatchObject([{ attempts: 5, failed: true }]))
})

test('a kind without a sender waits for a process that has one', async () => {
  await add('message', 'a')
  await database.db.query(sql`update outbox set kind = 'newer'`)
  start({ senders: {} })
  // An attempt is counted when it begins; its error is recorded when it ends.
  const [row] = await eventually(async () => {
    const outbox = await rows()
    expect(outbox).toMatchObject([{ attempts: 1, failed: false, error: 'no sender for the kind "newer"' }])
    return outbox
  })
  expect(row?.waitMs).toBeGreaterThan(2000)
})

test('a delivery that times out counts as failed and is aborted', async () => {
  await add('mail', 'a')
  let heard = false
  const mail = (_: unknown, signal: AbortSignal) =>
    new Promise<void>(() => signal.addEventListener('abort', () => (heard = true)))
  start({ senders: { mail }, sendLimitMs: 20 })
  await eventually(async () => expect((await rows())[0]?.error).toBe('not sent within 20 ms'))
  expect(heard).toBe(true)
})

test('a stop lets current deliveries finish and starts no more', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const begun: string[] = []
  const mail = async (payload: unknown) => {
    begun.push(tokenOf(payload))
    await held
  }
  const dispatcher = start({ senders: { mail }, concurrency: 1 })
  await add('mail', 'first', 'second')
  await eventually(() => expect(begun).toHaveLength(1))
  dispatcher.stop.abort()
  release()
  await dispatcher.ended
  expect(begun).toHaveLength(1)
  expect(await rows()).toMatchObject([{ attempts: 0 }])

  start({ senders: { mail } })
  await eventually(async () => expect(await rows()).toEqual([]))
  expect(begun.sort()).toEqual(['first', 'second'])
})

test('sends a row that a crashed process had claimed once the claim expires', async () => {
  await add('mail', 'a')
  // Claimed by a process that no longer runs.
  await database.db.query(sql`update outbox set attempts = 1, due_at = clock_timestamp() + interval '300 ms'`)
  const sent: string[] = []
  start({
    senders: {
      async mail(payload) {
        sent.push(tokenOf(payload))
      },
    },
  })
  await eventually(() => expect(sent).toEqual(['a']))
})
