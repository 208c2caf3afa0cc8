import { expect, test } from 'vitest'
import { createStartQueue } from './start-queue.ts'

const limits = { maxStarting: 2, maxWaiting: 3, maxWaitMs: 60_000 }

/** Work that the test finishes explicitly. */
function work() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const of = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, of, end: (name: string) => ends.get(name)?.() }
}

test('runs as many as are allowed at once, and the others in order of arrival', async () => {
  const queue = createStartQueue(limits)
  const { begun, of, end } = work()
  const all = ['a', 'b', 'c', 'd'].map((team) => queue.run(team, of(team)))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  expect([queue.running(), queue.waiting()]).toEqual([2, 2])
  end('b')
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await all[2]
  await Promise.resolve()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  expect([queue.running(), queue.waiting()]).toEqual([0, 0])
})

test('a team does not run twice while another waits for its first run', async () => {
  const queue = createStartQueue({ ...limits, maxStarting: 1 })
  const { begun, of, end } = work()
  const first = queue.run('greedy', of('greedy 1'))
  const rest = [queue.run('greedy', of('greedy 2')), queue.run('modest', of('modest'))]
  await Promise.resolve()
  // A turn lasts as long as its work. The next one depends on who is waiting at that time.
  const two = createStartQueue({ ...limits, maxStarting: 2 })
  const other = work()
  const others = [
    two.run('greedy', other.of('greedy 1')),
    two.run('modest', other.of('modest 1')),
    two.run('greedy', other.of('greedy 2')),
    two.run('fresh', other.of('fresh')),
  ]
  await Promise.resolve()
  other.end('modest 1')
  await expect.poll(() => other.begun).toEqual(['greedy 1', 'modest 1', 'fresh'])
  for (const name of ['greedy 1', 'fresh']) other.end(name)
  await expect.poll(() => other.begun.length).toBe(4)
  // Whoever waits for ever is rejected a minute later, while another test runs.
  other.end('greedy 2')
  await Promise.all(others)
  end('greedy 1')
  await first
  await expect.poll(() => begun.length).toBe(2)
  for (const name of ['greedy 2', 'modest']) end(name)
  await expect.poll(() => begun.length).toBe(3)
  for (const name of ['greedy 2', 'modest']) end(name)
  await Promise.all(rest)
})

test('warns about a queue that is too long or too old', async () => {
  const queue = createStartQueue({ ...limits, maxStarting: 1, maxWaiting: 1, maxWaitMs: 1 })
  const { of, end } = work()
  const first = queue.run('a', of('a'))
  // Expected before it can happen: otherwise a pause of the process makes it an unhandled rejection.
  const second = expect(queue.run('b', of('b'))).rejects.toThrow('Too many instances are starting.')
  await expect(queue.run('c', of('c'))).rejects.toThrow('Too many teams are waiting for an instance.')
  await second
  expect(queue.waiting()).toBe(0)
  end('a')
  expect(await first).toBe('a')
})

test('failed work releases its slot', async () => {
  const queue = createStartQueue({ ...limits, maxStarting: 1 })
  const failed = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('b', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
