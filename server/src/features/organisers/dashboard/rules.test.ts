import { expect, test } from 'vitest'
import { challengeRow, end, rules, start, worldRows } from '../../../../test/contest-rows.ts'
import type { ChallengeRow } from '../../../world/model.ts'
import { createWorld } from '../../../world/fold/world.ts'
import {
  backupFindings,
  ageFindings,
  challengeFindings,
  clockFindings,
  outboxFindings,
  queueFindings,
} from './rules.ts'
import { createWarningTracker, listed } from './warnings.ts'

const none = { instancers: new Set<string>(), hasBot: false }
const all = { instancers: new Set(['local']), hasBot: true }

const codesOf = (row: Partial<ChallengeRow>, providers = all) => {
  const world = createWorld(rules, worldRows({ challenges: [challengeRow('a', row)] }), start)
  return challengeFindings(world, providers).map(({ code }) => code)
}

test.each<[string, Partial<ChallengeRow>, typeof none, string[]]>([
  ['a challenge in order', { instancerConfig: {}, adminBotConfig: {} }, all, []],
  ['no flag', { flags: [] }, all, ['challengeWithoutFlag']],
  ['no flag, but scores are pushed', { flags: [], scoringKind: 'dynamic' }, all, []],
  ['no flag, but hidden', { flags: [], hidden: true }, all, []],
  ['bounds the wrong way round', { pointsMin: 2, pointsMax: 1 }, all, ['pointsReversed']],
  ['equal bounds', { pointsMin: 2, pointsMax: 2 }, all, []],
  ['released at the end', { releaseAt: end }, all, ['releaseAfterEnd']],
  ['released just before the end', { releaseAt: end - 1 }, all, []],
  ['no instancer at all', { instancerConfig: {} }, none, ['instancerMissing']],
  ['an instancer that is gone', { instancerConfig: { instancer: 'far' } }, all, ['instancerMissing']],
  ['an instancer that is there', { instancerConfig: { instancer: 'local' } }, all, []],
  ['no bot', { adminBotConfig: {} }, none, ['botMissing']],
])('%s', (...[, row, providers, codes]) => {
  expect(codesOf(row, providers)).toEqual(codes)
})

test('names only dynamic challenges that share a secret', () => {
  const row = (
    id: string,
    scoringSecret: string | null,
    scoringKind: ChallengeRow['scoringKind'] = 'dynamic',
  ) => challengeRow(id, { name: id, scoringKind, scoringSecret })
  const challenges = [row('a', 'x'), row('b', 'y'), row('c', 'x'), row('d', null), row('e', null)]
  const world = createWorld(rules, worldRows({ challenges: [...challenges, row('f', 'y', 'decay')] }), start)
  const shared = challengeFindings(world, all).filter(({ code }) => code === 'scoringSecretShared')
  expect(shared).toMatchObject([{ text: expect.stringMatching(/: (a, c|c, a)\.$/) }])
})

const queues = {
  verifications: 0,
  waitingRegistrations: 0,
  newVerifications: 0,
  botQueued: 1,
  botRunning: 0,
  botOldestAt: new Date(start),
  workerLostAt: null,
  hasWorker: true,
}

test('warns about visits that no worker pulled for a minute, unless one is running', () => {
  expect(queueFindings(queues, start + 60_000)).toEqual([])
  expect(queueFindings(queues, start + 60_001)).toMatchObject([{ code: 'botWithoutWorker', since: start }])
  expect(queueFindings({ ...queues, botRunning: 1 }, start + 60_001)).toEqual([])
})

test('reports a missing worker from the time its lease expired', () => {
  const lost = { ...queues, hasWorker: false, workerLostAt: new Date(start - 5) }
  expect(queueFindings(lost, start)).toMatchObject([{ code: 'workerMissing', since: start - 5 }])
})

test('warns about stale standings and differing clocks', () => {
  expect(ageFindings(10_000, start)).toEqual([])
  expect(ageFindings(10_001, start)).toMatchObject([{ code: 'standingsStale', since: start - 10_001 }])
  expect(clockFindings(start, start + 2_000)).toEqual([])
  expect(clockFindings(start, start - 5_000)).toMatchObject([{ text: expect.stringContaining('5 seconds') }])
})

test('distinguishes messages from mail', () => {
  const state = {
    kind: 'message',
    pending: 2,
    failing: 1,
    failingSince: null,
    givenUp: 2,
    givenUpSince: null,
  }
  expect(outboxFindings([state]).map(({ code, text }) => [code, text.split(' ', 2).join(' ')])).toEqual([
    ['messagesFailing', '1 message'],
    ['messagesGivenUp', '2 messages'],
  ])
  expect(outboxFindings([{ ...state, kind: 'another' }])).toEqual([])
})

test('a recurring warning starts again, and the newest is first', () => {
  let now = 1
  const trackWarnings = createWarningTracker(() => now)
  const [disk, redis] = (['diskLow', 'redisUnreachable'] as const).map((code) => ({
    code,
    text: '',
    since: null,
  }))
  if (!disk || !redis) throw new Error('two')
  const check = (...found: (typeof disk)[]) => trackWarnings(found).map(({ code, since }) => [code, since])
  expect(check(disk)).toEqual([['diskLow', 1]])
  now = 2
  expect(check(disk, redis)).toEqual([
    ['redisUnreachable', 2],
    ['diskLow', 1],
  ])
  check(redis)
  now = 3
  expect(check(disk)).toEqual([['diskLow', 3]])
})

test('truncates long lists', () => {
  expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d, e')
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more')
})

test('reports scheduled backups that are missing or late', () => {
  const hour = 3_600_000
  expect(backupFindings(null, hour, start)).toMatchObject([{ code: 'backupLate' }])
  expect(backupFindings(start - 2 * hour, hour, start)).toEqual([])
  const [late] = backupFindings(start - 5 * hour, hour, start)
  expect(late?.text).toContain('5.0 hours')
  expect(late?.since).toBeLessThan(start)
})
