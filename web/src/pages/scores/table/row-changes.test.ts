import { expect, test } from 'vitest'
import { changesOf, gapsOf, type Change } from './row-changes.ts'

const nobody: ReadonlyMap<string, Change> = new Map()

test('a new team has no change; the next load reports a new score', () => {
  const first = changesOf(nobody, [{ id: 'a', place: 5, score: 100 }])
  expect(first.get('a')).toMatchObject({ isNewScore: false })
  const second = changesOf(first, [{ id: 'a', place: 2, score: 300 }])
  expect(second.get('a')).toMatchObject({ isNewScore: true })
  expect(changesOf(second, [{ id: 'a', place: 4, score: 300 }]).get('a')).toMatchObject({ isNewScore: false })
})

test('teams on other pages are remembered, up to a limit', () => {
  const first = changesOf(nobody, [{ id: 'a', place: 5, score: 100 }])
  const rows = Array.from({ length: 999 }, (_, at) => ({ id: `t${at}`, place: at + 10, score: 1 }))
  expect(changesOf(first, rows).get('a')?.score).toBe(100)
  const over = changesOf(first, [...rows, { id: 'last', place: 1, score: 1 }])
  expect(over.size).toBe(1000)
  expect(over.has('a')).toBe(false)
})

test('gaps are the points to the neighbours; null at the ends and for missing rows', () => {
  const rows = [
    { id: 'a', place: 1, score: 300 },
    { id: 'b', place: 2, score: 250 },
    { id: 'c', place: 3, score: 240 },
  ]
  expect(gapsOf(rows, 'b')).toEqual({ above: 50, below: 10 })
  expect(gapsOf(rows, 'a')).toEqual({ above: null, below: 50 })
  expect(gapsOf([undefined, rows[2]], 'c')).toEqual({ above: null, below: null })
  expect(gapsOf(rows, 'nobody')).toEqual({ above: null, below: null })
})
