import { expect, test } from 'vitest'
import { caughtUp, extended, freshCount, MAX_TAIL_ROWS } from './tail.ts'

const row = (second: number, id = String(second)) => ({
  id,
  createdAt: new Date(second * 1000).toISOString(),
})

test('rows with the same timestamp are distinguished by ID, and each appears once', () => {
  const first = extended([], [row(2, 'a'), row(1)])
  const both = extended(first, [row(2, 'a'), row(2, 'b'), row(3)])
  expect(both.map(({ id }) => id)).toEqual(['3', 'b', 'a', '1'])
  expect(extended(both, [row(3)])).toBe(both)
})

test('the oldest rows are dropped', () => {
  const many = Array.from({ length: MAX_TAIL_ROWS }, (_, at) => row(at))
  const rows = extended(extended([], many), [row(MAX_TAIL_ROWS)])
  expect(rows).toHaveLength(MAX_TAIL_ROWS)
  expect(rows[0]?.id).toBe(String(MAX_TAIL_ROWS))
  expect(rows.at(-1)?.id).toBe('1')
})

test('pages are read until a known row, and a gap restarts the list', async () => {
  const stored = Array.from({ length: 2000 }, (_, at) => row(2000 - at))
  const read = async (offset: number) => stored.slice(offset, offset + 100)
  const first = await caughtUp([], 100, read)
  expect(first).toEqual(stored.slice(0, 100))
  const old = stored.slice(250, 350)
  expect(await caughtUp(old, 100, read)).toEqual(stored.slice(0, 350))
  expect(await caughtUp([row(1)], 100, read)).toEqual(stored.slice(0, MAX_TAIL_ROWS))
})

test('rows that arrive while the list is paused are counted', () => {
  const held = extended([], [row(1), row(2)])
  expect(freshCount(held, extended(held, [row(3), row(4)]))).toBe(2)
  expect(freshCount(held, held)).toBe(0)
  expect(freshCount([], held)).toBe(2)
})
