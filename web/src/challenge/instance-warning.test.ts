import { expect, test } from 'vitest'
import { comesToEnd } from './instance-warning.ts'

test('an instance is told once when its end comes near, and again after it was given more time', () => {
  expect([false, false, true, true].map((isNear) => comesToEnd('cabin', isNear))).toEqual([
    false,
    false,
    true,
    false,
  ])
  expect([false, true].map((isNear) => comesToEnd('cabin', isNear))).toEqual([false, true])
})

test('of an instance that is first seen near its end nothing is said', () => {
  expect([true, true].map((isNear) => comesToEnd('wreck', isNear))).toEqual([false, false])
})

test('what is remembered has a bound', () => {
  comesToEnd('first', false)
  for (let at = 0; at < 200; at++) comesToEnd(`other-${at}`, false)
  expect(comesToEnd('first', true)).toBe(false)
  expect(comesToEnd('other-199', true)).toBe(true)
})
