import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { filtersFromText, filtersToText } from './filters.ts'

const field = fc.constantFrom('team', 'kind', 'a:b;c,!')
const filter = fc.record({
  field,
  not: fc.boolean(),
  values: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
})

test('filters survive the URL', () => {
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 20 }), (filters) => {
      expect(filtersFromText(filtersToText(filters), ['team', 'kind', 'a:b;c,!'])).toEqual(filters)
    }),
  )
})

test('invalid filters in a URL are ignored', () => {
  expect(filtersFromText('x:1;team:%E0%A4%A;team;:;!kind:b', ['team', 'kind'])).toEqual([
    { field: 'kind', not: true, values: ['b'] },
  ])
})
