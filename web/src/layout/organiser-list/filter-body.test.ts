import { expect, test } from 'vitest'
import { filterBody, keepsNothing } from './filter-body.ts'

const is = (field: string, ...values: string[]) => ({ field, not: false, values })
const not = (field: string, ...values: string[]) => ({ field, not: true, values })

test('conditions become what is kept and what is dropped', () => {
  expect(filterBody([is('status', 'active', 'banned'), not('division', 'x'), not('division', 'y')])).toEqual({
    status: { include: ['active', 'banned'] },
    division: { exclude: ['x', 'y'] },
  })
})

test('two conditions on one field must both hold', () => {
  const both = filterBody([is('status', 'active', 'banned'), is('status', 'banned', 'admin')])
  expect(both).toEqual({ status: { include: ['banned'] } })
  expect(keepsNothing(both)).toBe(false)
  expect(keepsNothing(filterBody([is('status', 'active'), is('status', 'banned')]))).toBe(true)
})
