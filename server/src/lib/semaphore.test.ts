import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UnavailableError } from './errors.ts'
import { createSemaphore } from './semaphore.ts'

/** Work that the test completes. */
function openWork() {
  const begun: string[] = []
  const ends = new Map<string, (name: string) => void>()
  return {
    begun,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name)
        ends.set(name, resolve)
      }),
    end: (name: string) => ends.get(name)?.(name),
  }
}

test('limits concurrency and runs the rest in order', async () => {
  const { begun, work, end } = openWork()
  const run = createSemaphore({ slots: 2, maxQueue: 10 })
  const all = ['a', 'b', 'c', 'd'].map((name) => run(work(name)))
  await turn()
  expect(begun).toEqual(['a', 'b'])
  end('b')
  expect(await all[1]).toBe('b')
  await turn()
  expect(begun).toEqual(['a', 'b', 'c'])
  end('a')
  await all[0]
  await turn()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('failed work releases its slot', async () => {
  const run = createSemaphore({ slots: 1, maxQueue: 10 })
  const first = run(() => Promise.reject(new Error('lost')))
  const second = run(() => Promise.resolve('won'))
  await expect(first).rejects.toThrow('lost')
  expect(await second).toBe('won')
})

test('rejects work when the queue is full', async () => {
  const { work, end } = openWork()
  const run = createSemaphore({ slots: 1, maxQueue: 1 })
  const [first, second] = [run(work('a')), run(work('b'))]
  await expect(run(work('c'))).rejects.toThrow(UnavailableError)
  await turn()
  end('a')
  await first
  const third = run(work('d'))
  await turn()
  end('b')
  await second
  await turn()
  end('d')
  expect(await third).toBe('d')
})
