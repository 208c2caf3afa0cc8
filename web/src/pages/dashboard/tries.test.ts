import { expect, test } from 'vitest'
import { MOST_COUNTED, mostTried, triesOf } from './tries.ts'

const challenges = Array.from({ length: 30 }, (_, at) => ({ id: `c${at}` }))
const ids = challenges.map(({ id }) => id)
const { signal } = new AbortController()

test('the challenges with the most wrong flags come first', async () => {
  const count = async (id: string) => ({ c29: 40, c13: 7 })[id] ?? 0
  const tries = await triesOf(ids, { count, signal })
  expect(Object.fromEntries(tries)).toEqual({ c29: 40, c13: 7 })
  const order = mostTried(challenges, tries).map(({ id }) => id)
  expect(order.slice(0, 4)).toEqual(['c29', 'c13', 'c0', 'c1'])
})

test('a failed count does not affect the others, and the number of counts is limited', async () => {
  const asked: string[] = []
  const count = async (id: string) => {
    asked.push(id)
    if (id === 'c0') throw new Error('away')
    return 1
  }
  const many = [...ids, ...Array.from({ length: 400 }, (_, at) => `more${at}`)]
  const tries = await triesOf(many, { count, signal })
  expect(asked).toHaveLength(MOST_COUNTED)
  expect(tries.size).toBe(MOST_COUNTED - 1)
})

test('an aborted count rejects', async () => {
  const left = AbortSignal.abort()
  await expect(triesOf(ids, { count: async () => 1, signal: left })).rejects.toThrow()
})
