import { expect, test } from 'vitest'
import { keyed, rekeyed } from './row-keys.ts'

const flag = (text: string) => ({ provider: 'flags/static', config: { flag: text } })
const [a, b, c] = [flag('a'), flag('b'), flag('c')]
const start = keyed([a, b, c])

test('a row keeps its key when another row is removed, edited or added', () => {
  const without = rekeyed(start, [b, c])
  expect(without.keys).toEqual([1, 2])
  expect(rekeyed(without, [flag('bb'), c]).keys).toEqual([1, 2])
  expect(rekeyed(without, [b, c, flag('')]).keys).toEqual([1, 2, 3])
})

test('a moved row keeps its key', () => {
  expect(rekeyed(start, [b, a, c]).keys).toEqual([1, 0, 2])
  expect(rekeyed(start, [c, a, b]).keys).toEqual([2, 0, 1])
})

test('keys are never reused', () => {
  const grown = rekeyed(rekeyed(start, [a, b]), [a, b, flag('')])
  expect(grown.keys).toEqual([0, 1, 3])
  expect(rekeyed(rekeyed(grown, []), [a]).keys).toEqual([4])
})

test('rows are matched again after a save and after an undo', () => {
  const edited = rekeyed(start, [flag('aa'), b, c])
  expect(rekeyed(edited, [flag('aa'), flag('b'), flag('c')]).keys).toEqual([0, 1, 2])
  expect(rekeyed(rekeyed(start, [b, c]), [a, b, c]).keys).toEqual([3, 1, 2])
  const twice = [flag('same'), flag('same')]
  expect(rekeyed(keyed(twice), [flag('same'), flag('same')]).keys).toEqual([0, 1])
})
