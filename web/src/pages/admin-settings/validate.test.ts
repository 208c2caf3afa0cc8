import { expect, test } from 'vitest'
import { INCOMPLETE, savedOf, valuesOf } from './draft.ts'
import { faultsOf, fieldNamed } from './validate.ts'

const values = valuesOf(
  savedOf({ overrides: {}, defaults: { ctfName: 'Harbour', startTime: 1000, endTime: 2000 } }),
)

test('a name is required, and the end must be after the start', () => {
  expect(faultsOf(values, values)).toEqual({})
  expect(faultsOf({ ...values, ctfName: ' ', startTime: 2000 }, values)).toEqual({
    ctfName: 'missing',
    endTime: 'order',
  })
  expect(faultsOf({ ...values, startTime: Number.NaN }, values)).toEqual({ startTime: 'missing' })
})

test('both times may be empty unless the deployment sets them', () => {
  const empty = { ...values, startTime: Number.NaN, endTime: Number.NaN }
  expect(faultsOf(empty, empty)).toEqual({})
  expect(faultsOf({ ...empty, startTime: 1000 }, empty)).toEqual({ endTime: 'missing' })
  expect(faultsOf(empty, values)).toEqual({ startTime: 'missing', endTime: 'missing' })
})

test.each(['startTime', 'endTime', 'freezeTime'] as const)(
  '%s of which a part is missing is not sent',
  (name) => {
    for (const of of [values, { ...values, startTime: Number.NaN, endTime: Number.NaN }])
      expect(faultsOf({ ...of, [name]: INCOMPLETE }, of)).toMatchObject({ [name]: 'incomplete' })
  },
)

test('a sponsor requires a name, and its link must be http or https', () => {
  const sponsor = { name: '', icon: '', description: '', url: 'javascript:alert(1)' }
  expect(faultsOf({ ...values, sponsors: [{ ...sponsor, name: 'A', url: '' }, sponsor] }, values)).toEqual({
    'sponsors.1.name': 'missing',
    'sponsors.1.url': 'address',
  })
})

test('the refused field is extracted from the server error', () => {
  expect(fieldNamed('body:data.ctfName: too long')).toBe('ctfName')
  expect(fieldNamed('body:data.meta.imageUrl: too long')).toBe('imageUrl')
  expect(fieldNamed('body:data.sponsors.2.icon: too long')).toBe('sponsors.2.icon')
  expect(fieldNamed('body:data: wrong')).toBeNull()
})
