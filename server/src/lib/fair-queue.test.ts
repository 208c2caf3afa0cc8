import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const queue = () => createFairQueue<{ readonly pattern: string; readonly lane: string }>(1000)
const items = (count: number, lane: string, pattern = lane) =>
  Array.from({ length: count }, () => ({ lane, pattern }))

test('lanes take turns, whatever came first', () => {
  const fair = queue()
  for (const item of [...items(3, 'a'), ...items(1, 'b'), ...items(2, 'c')]) fair.add(item)
  expect(Array.from({ length: 7 }, () => fair.take()?.lane)).toEqual([
    'a',
    'b',
    'c',
    'a',
    'c',
    'a',
    undefined,
  ])
})

test('a pattern that timed out repeatedly waits behind the others, and has its turn', () => {
  const fair = queue()
  fair.recordTimeout('slow')
  fair.recordTimeout('slow')
  fair.recordTimeout('once')
  for (const item of [...items(3, 'x', 'slow'), ...items(1, 'y', 'once'), ...items(20, 'z')]) fair.add(item)
  const order = Array.from({ length: 24 }, () => fair.take()?.pattern)
  expect(order.slice(0, 9)).toEqual(['once', ...Array.from({ length: 7 }, () => 'z'), 'slow'])
  expect(order.filter((pattern) => pattern === 'slow')).toHaveLength(3)
  expect(order.indexOf('slow', 9)).toBe(17)
})

test('a pattern that times out while others of it wait moves them behind', () => {
  const fair = queue()
  for (let n = 0; n < 50; n++) fair.add({ lane: `${n}`, pattern: 'slow' })
  fair.add({ lane: 'other', pattern: 'usual' })
  for (let n = 0; n < 2; n++) fair.recordTimeout(fair.take()?.pattern ?? '')
  expect(fair.take()?.lane).toBe('other')
  expect(
    Array.from({ length: 49 }, () => fair.take()?.lane).filter((lane) => lane !== undefined),
  ).toHaveLength(48)
})

test('neither a lane nor slow patterns fill the queue', () => {
  const fair = queue()
  const added = (all: ReturnType<typeof items>) => all.filter((item) => fair.add(item)).length
  expect(added(items(1000, 'a'))).toBe(128)
  fair.recordTimeout('slow')
  fair.recordTimeout('slow')
  expect(added(Array.from({ length: 1000 }, (_, n) => ({ lane: `l${n}`, pattern: 'slow' })))).toBe(256)
  expect(added(items(1, 'b'))).toBe(1)
  expect(added(Array.from({ length: 1000 }, (_, n) => ({ lane: `m${n}`, pattern: 'p' })))).toBe(
    1000 - 128 - 256 - 1,
  )
})
