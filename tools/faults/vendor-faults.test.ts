import { expect, test } from 'vitest'
import { compare } from './vendor-faults.ts'

const ledger = {
  challengeIds: [],
  registered: ['a@ctf.example', 'b@ctf.example'],
  recovered: ['a@ctf.example'],
  uploads: [],
  solves: 2,
  wrong: 0,
}
const mails = (a: number, b: number) =>
  new Map([
    ['a@ctf.example', Array.from({ length: a }, () => 'link')],
    ['b@ctf.example', Array.from({ length: b }, () => 'link')],
  ])
const posts = (one: number, two: number) =>
  new Map(Object.entries({ one, two }).filter(([, count]) => count > 0))

test('counts what arrived too seldom and too often', () => {
  expect(compare(ledger, { mails: mails(2, 1), posts: posts(1, 1) })).toEqual({
    mails: { sent: 3, lost: 0, twice: 0 },
    posts: { sent: 2, lost: 0, twice: 0 },
  })
  // A recovery is missing, and a registration arrived three times.
  expect(compare(ledger, { mails: mails(1, 3), posts: posts(0, 2) })).toEqual({
    mails: { sent: 3, lost: 1, twice: 2 },
    posts: { sent: 2, lost: 1, twice: 1 },
  })
})
