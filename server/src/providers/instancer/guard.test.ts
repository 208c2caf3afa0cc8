import { expect, test } from 'vitest'
import { keepLog } from '../../../test/log.ts'
import { ProviderError } from '../provider.ts'
import { guard } from './guard.ts'
import type { InstanceDetails, Instancer } from './instancer.ts'
import { memoryInstancer } from './memory.ts'
import { safeText, withoutSecrets } from './safe-text.ts'

const key = { teamId: 't', integrationId: 'i', config: {} }
const stopped: InstanceDetails = { status: 'stopped', timeLeftMs: null, endpoints: [] }

async function engine(get: Instancer['get']): Promise<Instancer> {
  const world = { fetch, log: keepLog().log, now: () => 0, dataDir: '.' }
  return { ...(await memoryInstancer.start(memoryInstancer.options.parse({}), world)), get }
}

test('a call that takes too long is given up, and the engine is told', async () => {
  let isTold = false
  const deaf = await engine(
    (_, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => (isTold = true))
      }),
  )
  const calls = guard(deaf, { name: 'x', log: keepLog().log, limitMs: 5 })
  await expect(calls.get(key)).rejects.toThrow('did not answer in time')
  expect(isTold).toBe(true)
})

test('beyond the bound callers are told so at once, and places come free again', async () => {
  const ends: (() => void)[] = []
  const slow = await engine(() => new Promise((resolve) => ends.push(() => resolve(stopped))))
  const calls = guard(slow, { name: 'x', log: keepLog().log, maxCalls: 2 })
  const waiting = [calls.get(key), calls.get(key)]
  await expect(calls.get(key)).rejects.toThrow('too much to do')
  for (const end of ends) end()
  expect(await Promise.all(waiting)).toEqual([stopped, stopped])
  const next = calls.get(key)
  ends.at(-1)?.()
  expect(await next).toEqual(stopped)
})

test('a failure that nobody foresaw is told in plain words, and logged', async () => {
  const { log, lines } = keepLog()
  const broken = await engine(() => Promise.reject(new Error('ECONNREFUSED 10.0.0.1')))
  await expect(guard(broken, { name: 'x', log }).get(key)).rejects.toThrow(/^The instancer failed\./)
  expect(lines).toMatchObject([{ level: 'error' }])
})

test('what an engine says of a failure is passed on without addresses', async () => {
  const full = await engine(() => Promise.reject(new ProviderError('no room at tcp://10.0.0.1:2375, sorry')))
  await expect(guard(full, { name: 'x', log: keepLog().log }).get(key)).rejects.toThrow(
    /^no room at … sorry$/,
  )
})

test('time left is whole and never below none', async () => {
  const calls = guard(await engine(async () => ({ ...stopped, timeLeftMs: -3.5 })), {
    name: 'x',
    log: keepLog().log,
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

test('nobody has to read more than a few sentences', () => {
  expect(safeText('x'.repeat(5_000))).toBe('x'.repeat(500))
})

test('secrets are left out wherever they stand', () => {
  expect(withoutSecrets('a S1 b S1S2', ['S1', '', 'S2'])).toBe('a … b ……')
})
