import { beforeEach, expect, test, vi } from 'vitest'
import { awaitEnd, forgetEnd } from './instance-warning.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const DAY_MS = 86_400_000

function dueIn(ms: number) {
  return { at: performance.now() + ms, tell: vi.fn() }
}

test('an instance is told once when its end comes near, and again after it was given more time', () => {
  const [first, second, third] = [dueIn(100), dueIn(150), dueIn(400)]
  awaitEnd('cabin', first)
  awaitEnd('cabin', second)
  vi.advanceTimersByTime(200)
  expect(first.tell).not.toHaveBeenCalled()
  expect(second.tell).toHaveBeenCalledOnce()
  awaitEnd('cabin', third)
  vi.advanceTimersByTime(DAY_MS)
  expect(third.tell).toHaveBeenCalledOnce()
  expect(second.tell).toHaveBeenCalledOnce()
})

test('of an instance that is first seen near its end, or was stopped, nothing is said', () => {
  const [near, stopped] = [dueIn(0), dueIn(100)]
  awaitEnd('wreck', near)
  awaitEnd('cabin', stopped)
  forgetEnd('cabin')
  vi.advanceTimersByTime(DAY_MS)
  expect(near.tell).not.toHaveBeenCalled()
  expect(stopped.tell).not.toHaveBeenCalled()
})

test('an instance may live longer than a timer can wait', () => {
  const due = dueIn(40 * DAY_MS)
  awaitEnd('cabin', due)
  vi.advanceTimersByTime(39 * DAY_MS)
  expect(due.tell).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2 * DAY_MS)
  expect(due.tell).toHaveBeenCalledOnce()
})

test('what is awaited has a bound', () => {
  const first = dueIn(100)
  awaitEnd('first', first)
  const others = Array.from({ length: 200 }, (_, at) => {
    const due = dueIn(100)
    awaitEnd(`other-${at}`, due)
    return due
  })
  vi.advanceTimersByTime(200)
  expect(first.tell).not.toHaveBeenCalled()
  expect(others.every(({ tell }) => tell.mock.calls.length === 1)).toBe(true)
})
