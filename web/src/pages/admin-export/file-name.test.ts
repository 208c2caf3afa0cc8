import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'

const at = Date.UTC(2026, 10, 21, 9, 42, 7)

test('a file name contains event, content, state and time', () => {
  expect(fileName({ event: 'Harbour CTF: #3', what: 'standings', isFinal: true, at, ending: 'json' })).toBe(
    'harbour-ctf-3-standings-final-2026-11-21T09-42-07Z.json',
  )
  expect(fileName({ event: '旗', what: 'board', isFinal: false, at, ending: 'csv' })).toBe(
    'event-board-provisional-2026-11-21T09-42-07Z.csv',
  )
})
