import { expect, test } from 'vitest'
import { changesOf, valuesOf } from './team-changes.ts'

const saved = valuesOf({ name: 'Sailors', division: 'open', countryCode: null, statusText: 'Ahoy' })

test('nothing is sent of what did not change', () => {
  expect(changesOf(saved, { ...saved })).toEqual({})
  expect(changesOf(saved, { ...saved, name: 'Rowers' })).toEqual({ name: 'Rowers' })
})

test('a country is set by its code, and an emptied field is taken away', () => {
  expect(changesOf(saved, { ...saved, countryCode: 'DE', statusText: '' })).toEqual({
    countryCode: 'DE',
    statusText: null,
  })
  expect(changesOf({ ...saved, countryCode: 'DE' }, saved)).toEqual({ countryCode: null })
})
