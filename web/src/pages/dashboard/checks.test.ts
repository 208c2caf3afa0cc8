import { expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { findingsOf, MAX_FILES, ownFiles, runChecks, type AdminChallenge } from './checks.ts'

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

test('a well-prepared contest has no findings', () => {
  expect(found([challenge({})])).toEqual([])
})

test('each mistake is reported unless the challenge is hidden', () => {
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
    const others = [challenge({}), challenge({ ...fields, hidden: true })]
    expect(found(others, { missingFiles })).toEqual([])
  }
})

test('dynamic challenges need neither a flag nor valid points', () => {
  const scoring = { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } } as const
  expect(found([challenge({ scoring, flags: [], points: { min: 2, max: 1 } })])).toEqual([])
})

test('a missing description is reported in the last hour before the start', () => {
  const bare = [challenge({ description: ' ' })]
  expect(found(bare)).toEqual([])
  expect(found(bare, { now: event.startTime - HOUR_MS })).toEqual(['description'])
  expect(found(bare, { now: event.startTime })).toEqual([])
})

test('the settings of the event are checked', () => {
  const one = [challenge({})]
  expect(found(one, { event: { ...event, endTime: event.startTime } })).toEqual(['times'])
  expect(found(one, { event: { ...event, registrationsEnabled: false } })).toEqual(['registrations'])
  expect(found(one, { event: { ...event, endTime: 0, scheduled: false } })).toEqual(['scheduled'])
  const running = { now: event.startTime, event: { ...event, registrationsEnabled: false } }
  expect(found(one, running)).toEqual([])
})

test('an event without visible challenges is reported', () => {
  expect(found([])).toEqual(['visible'])
  expect(found([challenge({ hidden: true })])).toEqual(['visible'])
})

test('only checks that looked at something count as run', () => {
  const now = event.startTime - 2 * HOUR_MS
  const ran = (challenges: AdminChallenge[], more: object = {}) =>
    runChecks({ event, challenges, areFilesChecked: true, now, ...more })
  expect(ran([])).toEqual(['scheduled', 'times', 'registrations', 'visible'])
  expect(ran([], { event: { ...event, scheduled: false } })).not.toContain('times')
  const plain = ['scheduled', 'times', 'registrations', 'visible', 'flag', 'points']
  expect(ran([challenge({})])).toEqual(plain)
  expect(ran([challenge({})], { now: event.startTime - 1 })).toEqual([...plain, 'description'])
  const withFile = [challenge({ files: [file('/uploads/a')], releaseTime: event.startTime + 1 })]
  expect(ran(withFile)).toEqual([...plain, 'release', 'files'])
  expect(ran(withFile, { areFilesChecked: false })).toEqual([...plain, 'release'])
})

test('files on other hosts are not checked, and the number of own files is limited', () => {
  const urls = ['/uploads/a', 'https://ctf.example/uploads/b', 'https://cdn.example/c', 'http://[']
  const origin = 'https://ctf.example'
  expect(ownFiles([challenge({ files: urls.map(file) })], origin)).toEqual(urls.slice(0, 2))
  const many = Array.from({ length: MAX_FILES + 1 }, (_, at) => file(`/uploads/${at}`))
  expect(ownFiles([challenge({ files: many })], origin)).toHaveLength(MAX_FILES)
})
