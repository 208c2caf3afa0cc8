import { expect, test } from 'vitest'
import { changesOf, valuesOf } from './team-changes.ts'

const saved = valuesOf({ name: 'Sailors', division: 'open', countryCode: null, statusText: 'Ahoy' })

test('unchanged fields are not sent', () => {
  expect(changesOf(saved, { ...saved })).toEqual({})
  expect(changesOf(saved, { ...saved, name: 'Rowers' })).toEqual({ name: 'Rowers' })
})

test('a country is sent as its code, and an emptied field as null', () => {
  expect(changesOf(saved, { ...saved, countryCode: 'DE', statusText: '' })).toEqual({
    countryCode: 'DE',
    statusText: null,
  })
  expect(changesOf({ ...saved, countryCode: 'DE' }, saved)).toEqual({ countryCode: null })
})
