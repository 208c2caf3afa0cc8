import { expect, test } from 'vitest'
import { signedNumber } from './signed-number.ts'

test('a number is kept together with its sign', () => {
  const signed = signedNumber('de')
  expect([1200, -40, 0].map(signed)).toEqual(['\u2066+1.200\u2069', '\u2066-40\u2069', '\u20660\u2069'])
})
