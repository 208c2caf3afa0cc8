import { expect, test } from 'vitest'
import { csvOf } from './board-csv.ts'

const row = {
  id: 'a1',
  name: '=HYPERLINK("evil")',
  score: 458,
  avatarUrl: null,
  countryCode: 'NO',
  statusText: null,
  solves: [
    { id: 'x', solveTime: 1000 },
    { id: 'y', solveTime: 86_400_000 },
  ],
  dynamicScores: [],
  division: 'open',
  divisionPlace: 2,
  globalPlace: 3,
}

test('each team is one line, and its name is not a formula', () => {
  const [head, first] = csvOf([row]).split('\r\n')
  expect(head).toMatch(/^\uFEFF"place","team"/)
  expect(first).toBe(`"3","'=HYPERLINK(""evil"")","a1","open","2","NO","458","2","1970-01-02T00:00:00.000Z"`)
})

test('a team with pushed points only has no last solve', () => {
  expect(csvOf([{ ...row, name: 'A', solves: [], globalPlace: null }])).toMatch(/"458","0",""\r\n$/)
})

test('in an event with tracks, the last column is the track', () => {
  const [head, first] = csvOf([{ ...row, track: 'agent' }]).split('\r\n')
  expect(head).toMatch(/"last_solve","track"$/)
  expect(first).toMatch(/,"agent"$/)
})
