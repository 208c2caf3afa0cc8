import { expect, test } from 'vitest'
import { placeLines } from './graph-lines.ts'

const box = { left: 10, top: 0, width: 100, height: 50 }

test('lines are step functions on a common scale that end now', () => {
  const lines = [
    {
      name: 'a',
      points: [
        [0, 0],
        [50, 100],
      ] as const,
    },
    { name: 'b', points: [[0, 50]] as const, isOwn: true },
  ]
  const [a, b] = placeLines(lines, 100, box)
  expect(a).toEqual({ name: 'a', isOwn: false, path: 'M10 50H60V0H110', endY: 0 })
  expect(b).toEqual({ name: 'b', isOwn: true, path: 'M10 25H110', endY: 25 })
})

test('later points are drawn at the current time, and a line without points is empty', () => {
  const [late, none] = placeLines(
    [
      {
        name: 'late',
        points: [
          [0, 10],
          [500, 20],
        ],
      },
      { name: 'none', points: [] },
    ],
    100,
    box,
  )
  expect(late?.path).toBe('M10 25H110V0H110')
  expect(none?.path).toBe('')
})
