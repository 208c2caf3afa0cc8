import { expect, test } from 'vitest'
import { recordLog } from '../../../test/log.ts'
import { ProviderError, UncertainError } from '../provider.ts'
import { guard } from './guard.ts'
import type { InstanceDetails, Instancer } from './instancer.ts'
import { memoryInstancer } from './memory.ts'
import { safeText, withoutSecrets } from './safe-text.ts'

const key = { teamId: 't', integrationId: 'i', config: {} }
const stopped: InstanceDetails = { status: 'stopped', timeLeftMs: null, endpoints: [] }

async function engine(get: Instancer['get']): Promise<Instancer> {
  const world = { fetch, log: recordLog().log, now: () => 0, dataDir: '.', hostNameKey: Buffer.alloc(32) }
  return { ...(await memoryInstancer.start(memoryInstancer.options.parse({}), world)), get }
}

test('a call that times out is aborted at the engine', async () => {
  let isAborted = false
  const deaf = await engine(
    (_, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => (isAborted = true))
      }),
  )
  const calls = guard(deaf, { name: 'x', log: recordLog().log, limitMs: 5 })
  await expect(calls.get(key)).rejects.toThrow('did not respond in time')
  expect(isAborted).toBe(true)
})

test('callers beyond the limit are refused immediately, until calls complete', async () => {
  const ends: (() => void)[] = []
  const slow = await engine(() => new Promise((resolve) => ends.push(() => resolve(stopped))))
  const calls = guard(slow, { name: 'x', log: recordLog().log, maxCalls: 2 })
  const waiting = [calls.get(key), calls.get(key)]
  await expect(calls.get(key)).rejects.toThrow('is busy')
  for (const end of ends) end()
  expect(await Promise.all(waiting)).toEqual([stopped, stopped])
  const next = calls.get(key)
  ends.at(-1)?.()
  expect(await next).toEqual(stopped)
})

test('logs an unexpected failure and reports it in plain language', async () => {
  const { log, lines } = recordLog()
  const broken = await engine(() => Promise.reject(new Error('ECONNREFUSED 10.0.0.1')))
  await expect(guard(broken, { name: 'x', log }).get(key)).rejects.toThrow(/^The instancer failed\./)
  expect(lines).toMatchObject([{ level: 'error' }])
})

test('only a failure that the engine itself reported is certain', async () => {
  const failing = async (error: Error) => {
    const engineOf = await engine(() => Promise.reject(error))
    return await guard(engineOf, { name: 'x', log: recordLog().log })
      .get(key)
      .catch((caught: unknown) => caught)
  }
  expect(await failing(new ProviderError('no room'))).not.toBeInstanceOf(UncertainError)
  expect(await failing(new UncertainError('no response'))).toBeInstanceOf(UncertainError)
  expect(await failing(new Error('a bug'))).toBeInstanceOf(UncertainError)
  const deaf = guard(await engine(() => new Promise(() => {})), {
    name: 'x',
    log: recordLog().log,
    limitMs: 1,
  })
  await expect(deaf.get(key)).rejects.toBeInstanceOf(UncertainError)
})

test("an engine's error message is passed on without addresses", async () => {
  const full = await engine(() => Promise.reject(new ProviderError('no room at tcp://10.0.0.1:2375, sorry')))
  await expect(guard(full, { name: 'x', log: recordLog().log }).get(key)).rejects.toThrow(
    /^no room at … sorry$/,
  )
})

test('the remaining time is an integer and never negative', async () => {
  const calls = guard(await engine(async () => ({ ...stopped, timeLeftMs: -3.5 })), {
    name: 'x',
    log: recordLog().log,
  })
  expect(await calls.get(key)).toMatchObject({ timeLeftMs: 0 })
})

test.each([
  ['start failed at 10:30:45, image ubuntu:24.04', 'start failed at 10:30:45, image ubuntu:24.04'],
  ['host 10.0.0.7 is full', 'host … is full'],
  ['host 10.0.0.7:2376.', 'host …'],
  ['host [fd00::1]:2376 and fe80::1', 'host … and …'],
  ['cannot open /var/run/docker.sock now', 'cannot open … now'],
  ['see https://a.example/x?y=1 please', 'see … please'],
  ['lookup engine.prod.svc.cluster.local: none', 'lookup …: none'],
  ['localhost:8080 refused', '… refused'],
])('of "%s" people read "%s"', (text, safe) => {
  expect(safeText(text)).toBe(safe)
})

test('messages are truncated to a few sentences', () => {
  expect(safeText('x'.repeat(5_000))).toBe('x'.repeat(500))
})

test('omits secrets in every position', () => {
  expect(withoutSecrets('a S1 b S1S2', ['S1', '', 'S2'])).toBe('a … b ……')
})
