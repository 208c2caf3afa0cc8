import { createHash, createHmac } from 'node:crypto'
import { captchaCodeOf } from '@pennant/contract/captcha-code.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { createClock, type TestClock } from '../../../test/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { recordLog } from '../../../test/log.ts'
import { solveCaptcha } from '../../../test/solve-captcha.ts'
import { createDatabaseMarkers } from '../../kv/database-markers.ts'
import type { Captcha } from './captcha.ts'
import { proofOfWork } from './proof-of-work.ts'

const signingKey = Buffer.alloc(32, 'key')

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

async function start(difficulty: number, clock: TestClock = createClock(0), key = signingKey) {
  const now = () => clock.now()
  const markers = createDatabaseMarkers(database.db, now)
  const context = { fetch, log: recordLog().log, now, dataDir: '.', markers, signingKey: key }
  const captcha: Captcha = await proofOfWork.start({ difficulty }, context)
  const issue = captcha.issue?.bind(captcha)
  if (!issue) throw new Error('a captcha without tasks')
  return { issue, verify: (code: string) => captcha.verify(code, 'unknown'), clock }
}

test('of many concurrent uses of one solution exactly one is accepted, in any process', async () => {
  const clock = createClock(0)
  const [here, there] = [await start(1000, clock), await start(1000, clock)]
  const code = solveCaptcha(here.issue())
  const uses = Array.from({ length: 64 }, (_, at) => (at % 2 === 0 ? here : there).verify(code))
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
  expect(await here.verify(code)).toBe(false)
})

test('a task is valid for ten minutes', async () => {
  const { issue, verify, clock } = await start(100)
  const [early, late, used] = [issue(), issue(), issue()].map(solveCaptcha) as [string, string, string]
  expect(issue().expiresAt).toBe(10 * MINUTE_MS)
  clock.advance(10 * MINUTE_MS - 1)
  expect(await verify(early)).toBe(true)
  expect(await verify(used)).toBe(true)
  clock.advance(1)
  expect(await verify(late)).toBe(false)
  // Its use may no longer be recorded, but it has also expired.
  expect(await verify(used)).toBe(false)
})

test('tasks are unique, and their solutions cover the whole range', async () => {
  const { issue } = await start(4)
  const tasks = Array.from({ length: 200 }, issue)
  expect(new Set(tasks.map(({ prefix }) => prefix)).size).toBe(200)
  const found = new Set(tasks.map((task) => solveCaptcha(task).split('.')[3]))
  expect([...found].sort()).toEqual(['0', '1', '2', '3'])
})

test('a wrong number is refused without consuming the task', async () => {
  const { issue, verify } = await start(20)
  const task = issue()
  const good = solveCaptcha(task)
  const guesses = Array.from({ length: 21 }, (_, at) => captchaCodeOf(task, at - 1))
  for (const guess of guesses.filter((code) => code !== good)) expect(await verify(guess)).toBe(false)
  expect(await verify(good)).toBe(true)
})

test('no part of a task can be changed', async () => {
  const { issue, verify } = await start(50)
  const task = issue()
  const good = solveCaptcha(task)
  const parts = good.split('.')
  const changed = [
    ['999999999999', null, null, null, null],
    [`0${parts[0]}`, null, null, null, null],
    [null, '100', null, null, null],
    [null, '050', null, null, null],
    [null, null, 'A'.repeat(22), null, null],
    [null, null, null, `0${parts[3]}`, null],
    [null, null, null, null, 'A'.repeat(43)],
  ].map((change) => change.map((part, at) => part ?? parts[at]).join('.'))
  const malformed = [
    '',
    '.',
    '....',
    'NaN.1.1.1.1',
    parts.slice(0, 4).join('.'),
    `${good}.`,
    `${good}\n`,
    ` ${good}`,
  ]
  for (const code of [...changed, ...malformed, '9'.repeat(100_000)]) {
    expect(await verify(code), code.slice(0, 200)).toBe(false)
  }
  expect(await verify(good)).toBe(true)
})

test('digits of the number cannot be moved into the task', async () => {
  const { issue, verify } = await start(50)
  const task = issue()
  const digits = solveCaptcha(task).split('.')[3] ?? ''
  const target = createHash('sha256').update(`${task.prefix}${digits}`).digest('hex')
  expect(target).not.toBe(task.target)
  expect(await verify(`${task.prefix}${digits}.${task.signature}`)).toBe(false)
})

test('refuses a task issued with lower difficulty, and accepts one with higher difficulty', async () => {
  const [easy, hard] = [await start(10), await start(1000)]
  expect(await hard.verify(solveCaptcha(easy.issue()))).toBe(false)
  expect(await easy.verify(solveCaptcha(hard.issue()))).toBe(true)
})

test('refuses a task that was signed with another key', async () => {
  const { verify } = await start(50)
  const stranger = await start(50, createClock(0), Buffer.alloc(32, 'other'))
  expect(await verify(solveCaptcha(stranger.issue()))).toBe(false)
  const prefix = `${MINUTE_MS}.50.${'A'.repeat(22)}`
  const target = createHash('sha256').update(`${prefix}.7`).digest('hex')
  const signature = createHmac('sha256', '').update(`${prefix}.${target}`).digest('base64url')
  expect(await verify(captchaCodeOf({ prefix, signature }, 7))).toBe(false)
})
