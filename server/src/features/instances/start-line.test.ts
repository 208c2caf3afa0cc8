import { expect, test } from 'vitest'
import { createStartLine } from './start-line.ts'

const limits = { maxStarting: 2, maxWaiting: 3, maxWaitMs: 60_000 }

/** Work that ends when the test says so. */
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

test('as many as are allowed run at once, the others in the order of their coming', async () => {
  const line = createStartLine(limits)
  const { begun, of, end } = work()
  const all = ['a', 'b', 'c', 'd'].map((team) => line.run(team, of(team)))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  expect([line.running(), line.waiting()]).toEqual([2, 2])
  end('b')
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await all[2]
  await Promise.resolve()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  expect([line.running(), line.waiting()]).toEqual([0, 0])
})

test('a team has no second turn while another waits for its first', async () => {
  const line = createStartLine({ ...limits, maxStarting: 1 })
  const { begun, of, end } = work()
  const first = line.run('greedy', of('greedy 1'))
  const rest = [line.run('greedy', of('greedy 2')), line.run('modest', of('modest'))]
  await Promise.resolve()
  // Its turn is over only when its work is, so the next one is chosen by who waits.
  const two = createStartLine({ ...limits, maxStarting: 2 })
  const other = work()
  void two.run('greedy', other.of('greedy 1'))
  void two.run('modest', other.of('modest 1'))
  void two.run('greedy', other.of('greedy 2'))
  void two.run('fresh', other.of('fresh'))
  await Promise.resolve()
  other.end('modest 1')
  await expect.poll(() => other.begun).toEqual(['greedy 1', 'modest 1', 'fresh'])
  end('greedy 1')
  await first
  await expect.poll(() => begun.length).toBe(2)
  for (const name of ['greedy 2', 'modest']) end(name)
  await expect.poll(() => begun.length).toBe(3)
  for (const name of ['greedy 2', 'modest']) end(name)
  await Promise.all(rest)
})

test('a line that is too long, or stands too long, is said to be', async () => {
  const line = createStartLine({ ...limits, maxStarting: 1, maxWaiting: 1, maxWaitMs: 1 })
  const { of, end } = work()
  const first = line.run('a', of('a'))
  const second = line.run('b', of('b'))
  await expect(line.run('c', of('c'))).rejects.toThrow('Too many teams wait for an instance just now.')
  await expect(second).rejects.toThrow('Too many instances are being started just now.')
  expect(line.waiting()).toBe(0)
  end('a')
  expect(await first).toBe('a')
})

test('work that fails gives its turn away', async () => {
  const line = createStartLine({ ...limits, maxStarting: 1 })
  const failed = line.run('a', () => Promise.reject(new Error('no')))
  const next = line.run('b', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
