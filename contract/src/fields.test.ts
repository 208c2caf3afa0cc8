import { expect, test } from 'vitest'
import { countryCodes } from './countries.ts'
import { CountryCode } from './fields.ts'

test('the error for an invalid country does not list all countries', () => {
  const { error } = CountryCode.safeParse('de')
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'must be a country code of two letters (ISO 3166-1 alpha-2), such as DE',
  ])
  expect(countryCodes.every((code) => CountryCode.safeParse(code).success)).toBe(true)
})
