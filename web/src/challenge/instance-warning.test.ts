import { beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { awaitEnd, forgetEnd } from './instance-warning.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function dueIn(ms: number) {
  return { at: performance.now() + ms, warn: vi.fn() }
}

test('a team is warned once before an instance stops, and again after it was extended', () => {
  const [first, second, third] = [dueIn(100), dueIn(150), dueIn(400)]
  awaitEnd('cabin', first)
  awaitEnd('cabin', second)
  vi.advanceTimersByTime(200)
  expect(first.warn).not.toHaveBeenCalled()
  expect(second.warn).toHaveBeenCalledOnce()
  awaitEnd('cabin', third)
  vi.advanceTimersByTime(DAY_MS)
  expect(third.warn).toHaveBeenCalledOnce()
  expect(second.warn).toHaveBeenCalledOnce()
})

test('there is no warning for an instance that is first seen near its end or was stopped', () => {
  const [near, stopped] = [dueIn(0), dueIn(100)]
  awaitEnd('wreck', near)
  awaitEnd('cabin', stopped)
  forgetEnd('cabin')
  vi.advanceTimersByTime(DAY_MS)
  expect(near.warn).not.toHaveBeenCalled()
  expect(stopped.warn).not.toHaveBeenCalled()
})

test('the warning works for lifetimes beyond the maximum timer delay', () => {
  const due = dueIn(40 * DAY_MS)
  awaitEnd('cabin', due)
  vi.advanceTimersByTime(39 * DAY_MS)
  expect(due.warn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2 * DAY_MS)
  expect(due.warn).toHaveBeenCalledOnce()
})

test('the number of pending warnings is limited', () => {
  const first = dueIn(100)
  awaitEnd('first', first)
  const others = Array.from({ length: 200 }, (_, at) => {
    const due = dueIn(100)
    awaitEnd(`other-${at}`, due)
    return due
  })
  vi.advanceTimersByTime(200)
  expect(first.warn).not.toHaveBeenCalled()
  expect(others.every(({ warn }) => warn.mock.calls.length === 1)).toBe(true)
})
