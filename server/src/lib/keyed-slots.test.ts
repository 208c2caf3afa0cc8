import { expect, test } from 'vitest'
import { UnavailableError } from './errors.ts'
import { createKeyedSlots } from './keyed-slots.ts'

function work() {
  const ends: (() => void)[] = []
  return { ends, run: () => new Promise<void>((resolve) => ends.push(resolve)) }
}

test('limits concurrency and queue length per key', async () => {
  const { run, isFull } = createKeyedSlots({ slots: 2, maxQueue: 1 })
  const { ends, run: piece } = work()
  const all = [run('a', piece), run('a', piece), run('a', piece)]
  await Promise.resolve()
  expect(ends).toHaveLength(2)
  expect([isFull('a'), isFull('b')]).toEqual([true, false])
  await expect(run('a', piece)).rejects.toBeInstanceOf(UnavailableError)
  expect(await run('b', async () => 'done')).toBe('done')
  ends[0]?.()
  await all[0]
  expect(isFull('a')).toBe(false)
  ends[1]?.()
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  await Promise.all(all)
})

test('failed work releases its slot', async () => {
  const { run } = createKeyedSlots({ slots: 1, maxQueue: 0 })
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run('a', async () => 'done')).toBe('done')
})
