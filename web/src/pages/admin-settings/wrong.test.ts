import { expect, test } from 'vitest'
import { savedOf, valuesOf } from './draft.ts'
import { faultsOf, fieldNamed } from './wrong.ts'

const values = valuesOf(
  savedOf({ overrides: {}, defaults: { ctfName: 'Harbour', startTime: 1000, endTime: 2000 } }),
)

test('a name and two times in their order are needed', () => {
  expect(faultsOf(values)).toEqual({})
  expect(faultsOf({ ...values, ctfName: ' ', startTime: 2000 })).toEqual({
    ctfName: 'missing',
    endTime: 'order',
  })
  expect(faultsOf({ ...values, startTime: Number.NaN })).toEqual({ startTime: 'missing' })
})

test('a sponsor has a name, and a link that browsers open', () => {
  const sponsor = { name: '', icon: '', description: '', url: 'javascript:alert(1)' }
  expect(faultsOf({ ...values, sponsors: [{ ...sponsor, name: 'A', url: '' }, sponsor] })).toEqual({
    'sponsors.1.name': 'missing',
    'sponsors.1.url': 'address',
  })
})

test('the server names the field that it refused', () => {
  expect(fieldNamed('body:data.ctfName: too long')).toBe('ctfName')
  expect(fieldNamed('body:data.meta.imageUrl: too long')).toBe('imageUrl')
  expect(fieldNamed('body:data.sponsors.2.icon: too long')).toBe('sponsors.2.icon')
  expect(fieldNamed('body:data: wrong')).toBeNull()
})
