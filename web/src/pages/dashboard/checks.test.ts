import { expect, test } from 'vitest'
import { findingsOf, MOST_FILES, ownFiles, type AdminChallenge } from './checks.ts'

const HOUR_MS = 3_600_000
const event = { startTime: 100 * HOUR_MS, endTime: 148 * HOUR_MS, registrationsEnabled: true }
const file = (url: string) => ({ name: 'a', url, size: null })

function challenge(fields: Partial<AdminChallenge>): AdminChallenge {
  return {
    id: 'a',
    name: 'A',
    description: 'Find it.',
    category: 'web',
    author: '',
    files: [],
    points: { min: 100, max: 500 },
    flag: 'flag{a}',
    flags: [{ provider: 'flags/static', config: { flag: 'flag{a}' } }],
    tiebreakEligible: true,
    sortWeight: null,
    instancerConfig: null,
    adminBotConfig: null,
    hidden: false,
    releaseTime: null,
    scoring: { kind: 'decay' },
    tags: [],
    ...fields,
  }
}

const found = (challenges: AdminChallenge[], more: object = {}) =>
  findingsOf({ event, challenges, missingFiles: new Set(), now: event.startTime - 2 * HOUR_MS, ...more }).map(
    ({ check }) => check,
  )

test('a contest that is well prepared has no finding', () => {
  expect(found([challenge({})])).toEqual([])
})

test('each mistake is found, unless the challenge is hidden', () => {
  const wrong: [string, Partial<AdminChallenge>][] = [
    ['flag', { flags: [] }],
    ['points', { points: { min: 2, max: 1 } }],
    ['release', { releaseTime: event.endTime }],
    ['dynamicFlag', { flags: [{ provider: 'flags/dynamic', config: { base: 'flag{x}' } }] }],
    ['files', { files: [file('/uploads/gone')] }],
  ]
  const missingFiles = new Set(['/uploads/gone'])
  for (const [check, fields] of wrong) {
    expect(found([challenge(fields)], { missingFiles })).toEqual([check])
    expect(found([challenge({ ...fields, hidden: true })], { missingFiles })).toEqual([])
  }
})

test('what is scored live needs no flag and no points in order', () => {
  const scoring = { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } } as const
  expect(found([challenge({ scoring, flags: [], points: { min: 2, max: 1 } })])).toEqual([])
})

test('a missing description counts within the hour before the start', () => {
  const bare = [challenge({ description: ' ' })]
  expect(found(bare)).toEqual([])
  expect(found(bare, { now: event.startTime - HOUR_MS })).toEqual(['description'])
  expect(found(bare, { now: event.startTime })).toEqual([])
})

test('the event itself is looked at', () => {
  expect(found([], { event: { ...event, endTime: event.startTime } })).toEqual(['times'])
  expect(found([], { event: { ...event, registrationsEnabled: false } })).toEqual(['registrations'])
  const running = { now: event.startTime, event: { ...event, registrationsEnabled: false } }
  expect(found([], running)).toEqual([])
})

test('files of other hosts are not asked after, and of ours a bounded number', () => {
  const urls = ['/uploads/a', 'https://ctf.example/uploads/b', 'https://cdn.example/c', 'http://[']
  const origin = 'https://ctf.example'
  expect(ownFiles([challenge({ files: urls.map(file) })], origin)).toEqual(urls.slice(0, 2))
  const many = Array.from({ length: MOST_FILES + 1 }, (_, at) => file(`/uploads/${at}`))
  expect(ownFiles([challenge({ files: many })], origin)).toHaveLength(MOST_FILES)
})
