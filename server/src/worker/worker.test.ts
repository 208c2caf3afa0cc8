import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { end, rules } from '../../test/contest-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import { openDatabase } from '../db/database.ts'
import { addToOutbox, OUTBOX_CHANNEL } from '../db/outbox.ts'
import { createMemoryBus } from '../kv/memory-bus.ts'
import { createWorld } from '../world/fold/world.ts'
import { worldRows } from '../../test/contest-rows.ts'
import type { Job } from './job.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

let database: TestDatabase
const bus = createMemoryBus()
const workers: Worker[] = []

beforeEach(async () => {
  database = await openTestDatabase()
})

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close()
  await database[Symbol.asyncDispose]()
})

function start(options: Partial<WorkerOptions> = {}) {
  const world = createWorld(rules, worldRows(), end)
  const { log, lines } = recordLog()
  const worker = startWorker({
    db: database.db,
    bus,
    world: () => world,
    log,
    now: () => end,
    senders: {},
    leaseMs: 600,
    ...options,
  })
  workers.push(worker)
  return { worker, lines }
}

async function send(...tokens: string[]) {
  await database.db.transaction(async (tx) => {
    for (const token of tokens) await tx.query(addToOutbox('mail', { token }))
  })
  await bus.publish(OUTBOX_CHANNEL)
}

const left = async () => (await database.db.query(sql`select 1 from outbox`)).length

test('of two workers one is active; if it is cut off, the other takes over and no mail is lost', async () => {
  const sent: string[] = []
  const mail = async (payload: unknown) => {
    sent.push((payload as { token: string }).token)
  }
  const own = await openDatabase({ url: database.url, log: recordLog().log, maxPoolSize: 4 })
  const { worker: first } = start({ db: own, senders: { mail } })
  await eventually(() => expect(first.isLeading()).toBe(true))
  const { worker: second } = start({ senders: { mail } })
  await send('a', 'b')
  await eventually(async () => expect(await left()).toBe(0))
  expect(second.isLeading()).toBe(false)

  await own.close()
  await send('c')
  await eventually(async () => expect(await left()).toBe(0))
  expect(second.isLeading()).toBe(true)
  expect(first.isLeading()).toBe(false)
  expect(sent.sort()).toEqual(['a', 'b', 'c'])
})

test('a stop waits for current deliveries, then the next worker starts immediately', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const begun: number[] = []
  const sender = (n: number) => async () => {
    begun.push(n)
    await held
  }
  const { worker: first } = start({ senders: { mail: sender(1) }, leaseMs: 60_000 })
  await send('a')
  await eventually(() => expect(begun).toEqual([1]))
  const closing = first.close()
  // Rows added after the stop are left to the next worker.
  await send('b')
  release()
  await closing
  expect(await left()).toBe(1)
  start({ senders: { mail: sender(2) }, leaseMs: 60_000 })
  await eventually(async () => expect(await left()).toBe(0))
  expect(begun).toEqual([1, 2])
})

test('runs the jobs of features in addition to its own, even if one fails', async () => {
  let runs = 0
  const job: Job = {
    name: 'feature',
    everyMs: 1,
    async run() {
      runs += 1
      if (runs === 1) throw new Error('broken')
    },
  }
  await database.db.query(sql`
    insert into markers (key, value, expires_at) values ('old', '', to_timestamp(${end / 1000 - 1}::float8))`)
  start({ jobs: [job] })
  await eventually(() => expect(runs).toBeGreaterThan(2))
  await eventually(async () => expect(await database.db.query(sql`select 1 from markers`)).toEqual([]))
})

test('many jobs do not leak listeners', async () => {
  const warnings: Error[] = []
  const keep = (warning: Error) => warnings.push(warning)
  process.on('warning', keep)
  const done = new Set<string>()
  const names = Array.from({ length: 12 }, (_, at) => `job ${at}`)
  const jobs = names.map((name): Job => ({ name, everyMs: 60_000, run: async () => void done.add(name) }))
  const { worker } = start({ jobs })
  await eventually(() => expect(done.size).toBe(names.length))
  await worker.close()
  process.off('warning', keep)
  expect(warnings).toEqual([])
})
