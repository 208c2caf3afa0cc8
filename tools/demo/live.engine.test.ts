import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient } from '@pennant/contract/client.ts'
import { readInstance, startInstance as pressStart } from '@pennant/contract/instances.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leftovers } from '../../server/test/docker-instances.ts'
import { startEngine, type TestEngine } from '../../server/test/engine.ts'
import { eventually } from '../../server/test/eventually.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { freePort, startInstance } from '../lib/instance.ts'
import { fillLive } from './fill.ts'
import { liveConfig, startBot } from './live.ts'
import { solveGuestBook, solveNumberStation } from './solve.ts'

let engine: TestEngine
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  engine = await startEngine()
  folder = await temporaryFolder()
})
afterAll(async () => {
  await engine[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** The example contest on a server, an engine and a worker of its own. */
async function openContest(name: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const bot = await startBot(url)
  if (!bot) throw new Error('the worker of the admin bot does not start')
  const config = join(folder.path, `${name}.json`)
  await writeFile(config, JSON.stringify(liveConfig({ engineUrl: engine.url, ...bot })))
  const options = {
    dataDir: join(folder.path, name),
    port,
    env: { PENNANT_CONFIG: config, LOG_LEVEL: 'warn' },
  }
  const call = createClient({ baseUrl: url })
  return { bot, options, call }
}

async function register(call: ReturnType<typeof createClient>, name: string): Promise<string> {
  const made = await call(registerV2, { body: { name, email: `${name}@mail.example` } })
  if (made.kind !== 'goodRegisterV2') throw new Error(JSON.stringify(made))
  return made.data.authToken
}

test('a player solves the container challenge and the one with the admin bot through the public API', async () => {
  const { bot, options, call } = await openContest('solved')
  await using _bot = bot
  await using instance = await startInstance(options)
  const admin = await instance.createAdmin('organiser')
  await fillLive(call, admin.authToken)
  const token = await register(call, 'solvers')
  const station = await solveNumberStation({ call, token })
  expect(station.flag).toMatch(/^flag\{the_station_hears_who_counts_quickly_[0-9a-f]{10}\}$/)
  const book = await solveGuestBook({ call, token })
  expect(book.flag).toMatch(/^flag\{every_guest_book_needs_an_escape_[0-9a-f]{10}\}$/)
  await eventually(async () => expect(await leftovers(engine, 'pennant-demo')).toBe(0))
}, 300_000)

test('a server that is killed in the middle of a start leaves nothing that stays', async () => {
  const { bot, options, call } = await openContest('killed')
  await using _bot = bot
  const first = await startInstance(options)
  const admin = await first.createAdmin('organiser')
  await fillLive(call, admin.authToken)
  const token = await register(call, 'unlucky')
  const params = { id: 'number-station' }
  const pressed = call(pressStart, { token, params, body: {} }).catch(() => null)
  await eventually(async () => expect(await leftovers(engine, 'pennant-demo')).toBeGreaterThan(1))
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  await pressed

  await using _second = await startInstance(options)
  const state = await call(readInstance, { token, params })
  expect(state).toMatchObject({ kind: 'goodInstanceStatus' })
  // The team may press again at once: it has what was made, or is told what becomes of it.
  const again = await call(pressStart, { token, params, body: {} })
  expect(['goodInstanceStatus', 'badInstancerError']).toContain(again.kind)
  // What is half made goes by itself within a minute of its start.
  await expect
    .poll(async () => (await call(readInstance, { token, params })).data, {
      timeout: 240_000,
      interval: 1_000,
    })
    .toMatchObject({ status: expect.stringMatching(/stopped|running/) })
  const solved = await solveNumberStation({ call, token })
  expect(solved.flag).toContain('counts_quickly')
  await eventually(async () => expect(await leftovers(engine, 'pennant-demo')).toBe(0))
}, 400_000)
