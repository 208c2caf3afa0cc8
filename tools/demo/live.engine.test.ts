import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient } from '@pennant/contract/client.ts'
import { readInstance, startInstance as startChallengeInstance } from '@pennant/contract/instances.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { leftovers } from '../../server/test/docker-instances.ts'
import { startEngine, type TestEngine } from '../../server/test/engine.ts'
import { eventually } from '../../server/test/eventually.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { startInstance } from '../lib/instance.ts'
import { fillLive } from '../../server/src/ops/demo/fill.ts'
import { liveChallenges } from '../../server/src/ops/demo/live-challenges.ts'
import { liveConfig, startBot } from '../../server/src/ops/demo/live.ts'
import { solveGuestBook, solveNumberStation } from './solve.ts'

const worker = join(import.meta.dirname, '../../bot/dist/main.js')
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

/** Opens the example contest with its own server, engine and worker. */
async function openContest(name: string) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const bot = await startBot({ serverUrl: url, worker, env: process.env })
  if (!bot) throw new Error('the worker of the admin bot does not start')
  const config = join(folder.path, `${name}.json`)
  await writeFile(config, JSON.stringify(liveConfig({ engineUrl: engine.url, ...bot })))
  const options = {
    dataDir: join(folder.path, name),
    port,
    env: { PENNANT_CONFIG: config, LOG_LEVEL: 'warn', PENNANT_START_TIME: String(Date.now()) },
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
  await fillLive({ call, token: admin.authToken, challenges: liveChallenges, existing: new Set() })
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
  await fillLive({ call, token: admin.authToken, challenges: liveChallenges, existing: new Set() })
  const token = await register(call, 'unlucky')
  const params = { id: 'number-station' }
  const starting = call(startChallengeInstance, { token, params, body: {} }).catch(() => null)
  await eventually(async () => expect(await leftovers(engine, 'pennant-demo')).toBeGreaterThan(1))
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  await starting

  await using _second = await startInstance(options)
  const state = await call(readInstance, { token, params })
  expect(state).toMatchObject({ kind: 'goodInstanceStatus' })
  // The team may start again immediately: the response is either the existing instance or an error with the
  // reason.
  const again = await call(startChallengeInstance, { token, params, body: {} })
  expect(['goodInstanceStatus', 'badInstancerError']).toContain(again.kind)
  // A partially created instance is removed within a minute of its start.
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
