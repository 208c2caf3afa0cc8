import { MAX_LOGS_LENGTH } from '@pennant/contract/admin-bot-worker.ts'
import { expect, test } from 'vitest'
import { createLogRing } from './log-ring.ts'

const plan = {
  inputs: {},
  timeoutMilliseconds: 1,
  requireInstancerInstancesRunning: false,
  maxLogLines: 3,
  maxLogValueChars: 5,
}
const line = (text: string) => ({ level: 'info', prefix: 'x', line: text }) as const

test('a line is an object with five fields and truncated text', () => {
  const ring = createLogRing(plan, () => Date.UTC(2030, 0, 1))
  ring.add({ level: 'warn', prefix: 'console', line: 'abcdefgh', extra: {} })
  expect(ring.text()).toBe(
    '{"time":"2030-01-01T00:00:00.000Z","level":"warn","prefix":"console","line":"abcde","extra":{}}',
  )
})

test('keeps the newest lines', () => {
  const ring = createLogRing(plan, () => 0)
  expect(ring.text()).toBe('')
  for (const text of ['1', '2', '3', '4']) ring.add(line(text))
  const shown = ring
    .text()
    .split('\n')
    .map((text) => (JSON.parse(text) as { line: string }).line)
  expect(shown).toEqual(['2', '3', '4'])
})

test('keeps at most what the service accepts', () => {
  const ring = createLogRing({ ...plan, maxLogLines: 100, maxLogValueChars: 100_000 }, () => 0)
  for (let count = 0; count < 20; count += 1) ring.add(line('x'.repeat(99_000)))
  const text = ring.text()
  expect(text.length).toBeLessThanOrEqual(MAX_LOGS_LENGTH)
  expect(text.split('\n')).toHaveLength(10)
  expect(() => text.split('\n').map((one) => JSON.parse(one) as object)).not.toThrow()
})

test('truncates long values of a log line', () => {
  const ring = createLogRing(plan, () => 0)
  ring.add({ ...line('a'), extra: { long: 'y'.repeat(8_000_000) } })
  expect(JSON.parse(ring.text())).toMatchObject({ extra: '{"lon' })
  // Already cut by the child process.
  ring.add({ ...line('b'), extra: '{"lon' })
  expect(
    ring
      .text()
      .split('\n')
      .map((one) => (JSON.parse(one) as { extra: string }).extra),
  ).toEqual(['{"lon', '{"lon'])
})

test('is empty for a challenge without lines', () => {
  const ring = createLogRing({ ...plan, maxLogLines: 0 }, () => 0)
  ring.add(line('a'))
  expect(ring.text()).toBe('')
})
