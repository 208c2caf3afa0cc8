import { createHash } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { defaultThresholds } from '@pennant/contract/fair-play.ts'
import { expect, test } from 'vitest'
import { computeSignals } from './compute.ts'
import type { AttemptFact, ChallengeFact, Facts } from './facts.ts'

const challenge = (id: string, patch: Partial<ChallengeFact> = {}): ChallengeFact => ({
  id,
  openedAt: 0,
  hasInstances: false,
  flags: [`flag{the_answer_of_${id}}`],
  ...patch,
})

let serial = 0
const attempt = (teamId: string, patch: Partial<AttemptFact> = {}): AttemptFact => ({
  id: `s${String(++serial).padStart(6, '0')}`,
  teamId,
  challengeId: 'web',
  at: serial * MINUTE_MS,
  ip: 'unknown',
  text: 'flag{wrong}',
  result: 'incorrect',
  ownerId: null,
  apiTokenId: null,
  ...patch,
})

function found(patch: Partial<Facts>, thresholds = defaultThresholds) {
  const facts: Facts = {
    startTime: 0,
    endTime: 1e12,
    teams: [],
    challenges: [challenge('web')],
    attempts: [],
    minted: [],
    decoys: [],
    received: [],
    receivedSince: null,
    started: [],
    startsLost: [],
    ...patch,
  }
  return computeSignals(facts, thresholds).map(({ kind, teamIds, challengeId }) => ({
    kind,
    teamIds,
    challengeId,
  }))
}

const minted = [{ challengeId: 'web', teamId: 'a', flag: 'flag{made_for_a}' }]

test('the flag of another team is a signal, right or wrong, and the own one is not', () => {
  const text = 'flag{made_for_a}'
  const attempts = [
    attempt('a', { text, result: 'correct' }),
    attempt('b', { text, result: 'correct', ownerId: 'a' }),
    attempt('c', { text, challengeId: 'other' }),
  ]
  expect(found({ attempts, minted }).filter(({ kind }) => kind === 'foreignFlag')).toEqual([
    { kind: 'foreignFlag', teamIds: ['b', 'a'], challengeId: 'web' },
    { kind: 'foreignFlag', teamIds: ['c', 'a'], challengeId: 'other' },
  ])
})

test('a variant that two teams have shows nothing', () => {
  const twice = [...minted, { challengeId: 'web', teamId: 'b', flag: 'flag{made_for_a}' }]
  expect(found({ attempts: [attempt('c', { text: 'flag{made_for_a}' })], minted: twice })).toEqual([])
})

test('a planted flag is a signal', () => {
  const decoys = [{ id: 'd1', flag: 'flag{planted_text}' }]
  const attempts = [attempt('a', { text: ' flag{planted_text}' })]
  expect(found({ attempts, decoys })).toEqual([{ kind: 'decoyFlag', teamIds: ['a'], challengeId: 'web' }])
})

test('the flag of a challenge that no team could read is a signal until it opens', () => {
  const text = 'flag{the_answer_of_later}'
  const later = challenge('later', { openedAt: 500 * MINUTE_MS })
  const attempts = [attempt('a', { text, at: 400 * MINUTE_MS }), attempt('b', { text, at: 600 * MINUTE_MS })]
  expect(
    found({ challenges: [challenge('web'), later], attempts }, { ...defaultThresholds, wrongFlagMinutes: 1 }),
  ).toEqual([{ kind: 'closedFlag', teamIds: ['a'], challengeId: 'later' }])
})

test('equal unusual wrong flags are a signal', () => {
  const text = 'flag{q7x_odd_guess}'
  const one = attempt('a', { text })
  const pair = [one, attempt('b', { text, at: one.at + MINUTE_MS })]
  expect(found({ attempts: pair })).toEqual([
    { kind: 'equalWrongFlag', teamIds: ['b', 'a'], challengeId: 'web' },
  ])
  const later = [one, attempt('b', { text, at: one.at + 121 * MINUTE_MS })]
  expect(found({ attempts: later })).toEqual([])
  expect(found({ attempts: [...pair, attempt('c', { text })] })).toEqual([])
})

test('wrong flags of words of the right one are no signal: teams make the same mistakes', () => {
  for (const text of ['flag{answer_the_of_web}', 'FLAG{the-answer-of-web', 'the_answer_of_web'])
    expect(found({ attempts: [attempt('a', { text }), attempt('b', { text })] })).toEqual([])
})

test('a solve of a challenge that was never received is a signal, once receipts are kept', () => {
  const solve = attempt('a', { text: 'flag{the_answer_of_web}', result: 'correct' })
  const unseen = [{ kind: 'unseenSolve', teamIds: ['a'], challengeId: 'web' }]
  const received = [{ teamId: 'a', challengeId: 'web', at: solve.at - 1 }]
  expect(found({ attempts: [solve], receivedSince: 0 })).toEqual(unseen)
  expect(found({ attempts: [solve], receivedSince: 0, received })).toEqual([])
  expect(found({ attempts: [solve], receivedSince: 1 })).toEqual([])
  expect(found({ attempts: [solve], receivedSince: null })).toEqual([])
})

test('a solve without an instance is a signal, unless its starts are no longer known', () => {
  const challenges = [challenge('web', { hasInstances: true })]
  const solve = attempt('a', { result: 'correct' })
  const started = [{ teamId: 'a', challengeId: 'web', at: solve.at - 1 }]
  expect(found({ challenges, attempts: [solve] })).toEqual([
    { kind: 'noInstance', teamIds: ['a'], challengeId: 'web' },
  ])
  expect(found({ challenges, attempts: [solve], started })).toEqual([])
  expect(found({ challenges, attempts: [solve], startsLost: ['a'] })).toEqual([])
})

/** From 0 to below 1, always the same for a text. */
function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32
}

/** Twenty challenges with thirty solvers at different hours; `b` follows `a` on some. */
function followed(count: number, distance: number) {
  const challenges = Array.from({ length: 20 }, (_, at) => challenge(`c${at}`))
  const attempts = challenges.flatMap(({ id }, at) => {
    const timeOf = (team: number) => (at * 1000 + chanceOf(`${at} ${team}`) * 900) * MINUTE_MS
    const solve = (teamId: string, time: number) =>
      attempt(teamId, { challengeId: id, at: time, result: 'correct', text: 'flag{x}' })
    const others = Array.from({ length: 30 }, (_, team) => solve(`t${team}`, timeOf(team)))
    return [
      ...others,
      solve('a', timeOf(50) + 1),
      solve('b', at < count ? timeOf(50) + distance : timeOf(91)),
    ].toSorted((one, other) => one.at - other.at)
  })
  const facts = { challenges, attempts: attempts.toSorted((one, other) => one.at - other.at) }
  return found(facts).filter(({ kind }) => kind === 'sameRhythm')
}

test('one team behind another one again and again is a signal', () => {
  expect(followed(8, 3 * MINUTE_MS)).toEqual([{ kind: 'sameRhythm', teamIds: ['b', 'a'], challengeId: null }])
  expect(followed(2, 3 * MINUTE_MS)).toEqual([])
  expect(followed(8, 50 * MINUTE_MS)).toEqual([])
})

test('a solve right after the release is a signal if others needed hours', () => {
  const solves = [30 * SECOND_MS, ...[60, 90, 120, 150, 180].map((minutes) => minutes * MINUTE_MS)]
  const attempts = solves.map((at, team) => attempt(`t${team}`, { at, result: 'correct', text: 'flag{x}' }))
  expect(found({ attempts })).toEqual([{ kind: 'soonAfterRelease', teamIds: ['t0'], challengeId: 'web' }])
  const quick = attempts.map((each, team) => ({ ...each, at: (team + 1) * 30 * SECOND_MS }))
  expect(found({ attempts: quick }).filter(({ kind }) => kind === 'soonAfterRelease')).toEqual([])
})

test('a solve seconds after another one is a signal if solves are hours apart', () => {
  const times = [5, 10, 15, 20, 25, 30].map((hours) => hours * 60 * MINUTE_MS)
  const attempts = [...times, 15 * 60 * MINUTE_MS + 5 * SECOND_MS]
    .map((at, team) => attempt(`t${team}`, { at, result: 'correct', text: 'flag{x}' }))
    .toSorted((one, other) => one.at - other.at)
  expect(found({ attempts })).toEqual([{ kind: 'soonAfterTeam', teamIds: ['t6', 't2'], challengeId: 'web' }])
})

test('few teams at one address are context, a whole network is nothing', () => {
  const at = (teamId: string) => attempt(teamId, { ip: '203.0.113.9', text: `flag{${teamId}_own}` })
  const teams = ['a', 'b', 'c', 'd'].map((id) => ({ id, createdAt: id === 'a' ? 0 : 3_600_000 }))
  expect(found({ teams, attempts: [at('a'), at('b')] })).toEqual([
    { kind: 'sharedAddress', teamIds: ['b', 'a'], challengeId: null },
  ])
  const twins = teams.map(({ id }) => ({ id, createdAt: 0 }))
  expect(
    found({ teams: twins, attempts: [at('a'), at('b')] })
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['sharedAddress', 'twinRegistration'])
  expect(found({ teams, attempts: ['a', 'b', 'c', 'd'].map(at) })).toEqual([])
})

test('one token in two networks within minutes is context', () => {
  const use = (ip: string, at: number) => attempt('a', { ip, at, apiTokenId: 'token', text: `flag{${at}}` })
  const pair = [use('203.0.113.9', 0), use('198.51.100.4', MINUTE_MS)]
  expect(found({ attempts: pair })).toEqual([
    { kind: 'tokenInTwoNetworks', teamIds: ['a'], challengeId: null },
  ])
  expect(found({ attempts: [use('203.0.113.9', 0), use('203.0.200.4', MINUTE_MS)] })).toEqual([])
  expect(found({ attempts: [use('203.0.113.9', 0), use('198.51.100.4', 20 * MINUTE_MS)] })).toEqual([])
})

test('the ids are the same after another computation with more facts', () => {
  const facts = (attempts: AttemptFact[]): Facts => ({
    startTime: 0,
    endTime: 1e12,
    teams: [],
    challenges: [challenge('web')],
    attempts,
    minted,
    decoys: [],
    received: [],
    receivedSince: null,
    started: [],
    startsLost: [],
  })
  const first = attempt('b', { text: 'flag{made_for_a}' })
  const [one] = computeSignals(facts([first]), defaultThresholds)
  const both = computeSignals(facts([first, attempt('c', { text: 'flag{made_for_a}' })]), defaultThresholds)
  expect(both).toHaveLength(2)
  expect(both[0]).toEqual(one)
})
