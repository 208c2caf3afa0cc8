import { expect, test } from 'vitest'
import { filterBody, keepsNothing } from './filter-body.ts'

const is = (field: string, ...values: string[]) => ({ field, not: false, values })
const not = (field: string, ...values: string[]) => ({ field, not: true, values })

test('conditions are converted to include and exclude lists', () => {
  expect(filterBody([is('status', 'active', 'banned'), not('division', 'x'), not('division', 'y')])).toEqual({
    status: { include: ['active', 'banned'] },
    division: { exclude: ['x', 'y'] },
  })
})

test('two conditions on one field are combined with AND', () => {
  const both = filterBody([is('status', 'active', 'banned'), is('status', 'banned', 'admin')])
  expect(both).toEqual({ status: { include: ['banned'] } })
  expect(keepsNothing(both)).toBe(false)
  expect(keepsNothing(filterBody([is('status', 'active'), is('status', 'banned')]))).toBe(true)
})
