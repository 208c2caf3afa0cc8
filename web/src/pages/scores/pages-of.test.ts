import { expect, test } from 'vitest'
import { pagesOf } from './pages-of.ts'

test('a span asks for the pages that it touches, and no other', () => {
  expect(pagesOf({ from: 0, to: 25 }, 25)).toEqual([0])
  expect(pagesOf({ from: 24, to: 26 }, 25)).toEqual([0, 1])
  expect(pagesOf({ from: 9990, to: 10_000 }, 25)).toEqual([399])
})

test('an empty span asks for the first page, a huge one for no more than a few', () => {
  expect(pagesOf({ from: 0, to: 0 }, 25)).toEqual([0])
  expect(pagesOf({ from: 0, to: 100_000 }, 25)).toEqual([0, 1, 2, 3, 4, 5])
})
