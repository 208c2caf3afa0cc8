import { expect, it } from 'vitest'
import { changedLines } from './changed-lines.ts'

it('leaves out the lines that both texts have at the beginning and at the end', () => {
  expect(changedLines('a\nb\nc\nd', 'a\nx\ny\nd')).toEqual({
    same: [1, 1],
    removed: ['b', 'c'],
    added: ['x', 'y'],
  })
  expect(changedLines('a\na', 'a\na\na')).toEqual({ same: [2, 0], removed: [], added: ['a'] })
  expect(changedLines('one', 'two')).toEqual({ same: [0, 0], removed: ['one'], added: ['two'] })
  expect(changedLines('same', 'same')).toEqual({ same: [1, 0], removed: [], added: [] })
})
