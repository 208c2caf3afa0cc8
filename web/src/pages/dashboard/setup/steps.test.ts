import { expect, test } from 'vitest'
import { doneSteps, freeChallengeId } from './steps.ts'

const fresh = {
  event: {
    ctfName: 'Pennant',
    startTime: 1,
    endTime: 2,
    scheduled: false as const,
    registrationsEnabled: false,
  },
  challenges: [{ hidden: true }],
}

test('nothing is done on a new server with closed registration', () => {
  expect([...doneSteps(fresh)]).toEqual([])
})

test.each([
  ['about', { ctfName: 'Harbour CTF' }],
  ['times', { scheduled: undefined }],
  ['registration', { registrationsEnabled: true }],
])('%s is done by what the server says', (step, changes) => {
  expect([...doneSteps({ ...fresh, event: { ...fresh.event, ...changes } })]).toEqual([step])
})

test('the first visible challenge ends its step', () => {
  expect([...doneSteps({ ...fresh, challenges: [{ hidden: true }, { hidden: false }] })]).toEqual([
    'challenge',
  ])
})

test.each([
  { category: 'Web', name: 'My Shop!', taken: [], id: 'web-my-shop' },
  { category: 'Web', name: 'My Shop!', taken: ['web-my-shop', 'web-my-shop-2'], id: 'web-my-shop-3' },
  { category: '', name: '旗', taken: [], id: 'challenge' },
  { category: '', name: 'New', taken: [], id: 'new-2' },
])('the id of $category $name with $taken taken is $id', ({ category, name, taken, id }) => {
  expect(freeChallengeId(category, name, new Set(taken))).toBe(id)
})
