import { expect, test } from 'vitest'
import type { AdminChallenge } from './checks.ts'
import { releasesIn } from './releases.ts'

const released = (releaseTime: number | null, hidden = false) =>
  ({ releaseTime, hidden }) as Pick<AdminChallenge, 'releaseTime' | 'hidden'> as AdminChallenge

test('counts the visible challenges of each release within the range, oldest first', () => {
  const challenges = [released(30), released(20), released(30), released(30, true), released(null)]
  expect(releasesIn(challenges, { from: 0, to: 100 })).toEqual([
    { at: 20, challenges: 1 },
    { at: 30, challenges: 2 },
  ])
})

test('leaves out what is released at the start, before it, and after the end', () => {
  const challenges = [released(5), released(10), released(11), released(99), released(100)]
  expect(releasesIn(challenges, { from: 10, to: 100 }).map(({ at }) => at)).toEqual([11, 99])
})
