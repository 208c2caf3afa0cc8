import { expect, test } from 'vitest'
import { counted } from './counted.ts'
import { signedNumber } from './intl-text.ts'

test.each(['1', 1, '+1', '-1', signedNumber('en')(1), signedNumber('de')(-1)])('%s is one', (shown) => {
  expect(counted(shown, 'point', 'points')).toBe(`${shown} point`)
})

test.each(['0', 0, '11', 21, '1,001', '1.000', '1.5', signedNumber('en')(11)])('%s is not one', (shown) => {
  expect(counted(shown, 'point', 'points')).toBe(`${shown} points`)
})
