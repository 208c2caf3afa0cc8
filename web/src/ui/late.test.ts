import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { late } from './late.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is typed in one go is told once, and Enter does not wait', () => {
  const told: string[] = []
  const search = late((text: string) => told.push(text), 350)
  for (const text of ['a', 'an', 'anc']) {
    search.set(text)
    vi.advanceTimersByTime(300)
  }
  expect(told).toEqual([])
  vi.advanceTimersByTime(50)
  expect(told).toEqual(['anc'])
  search.set('anchor')
  search.flush()
  search.flush()
  vi.runAllTimers()
  expect(told).toEqual(['anc', 'anchor'])
  search.set('left')
  search.stop()
  vi.runAllTimers()
  expect(told).toEqual(['anc', 'anchor'])
})
