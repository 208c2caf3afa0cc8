import { expect, test } from 'vitest'
import { pagesOf } from './pages-of.ts'

test('a span requests only the pages that it intersects', () => {
  expect(pagesOf({ from: 0, to: 25 }, 25)).toEqual([0])
  expect(pagesOf({ from: 24, to: 26 }, 25)).toEqual([0, 1])
  expect(pagesOf({ from: 9990, to: 10_000 }, 25)).toEqual([399])
})

test('an empty span requests the first page, and a huge one a limited number', () => {
  expect(pagesOf({ from: 0, to: 0 }, 25)).toEqual([0])
  expect(pagesOf({ from: 0, to: 100_000 }, 25)).toEqual([0, 1, 2, 3, 4, 5])
})
