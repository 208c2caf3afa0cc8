import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  challengeRow,
  feedRow,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../../test/contest-rows.ts'
import { createWorld } from '../../../world/fold/world.ts'
import { pageOfTeams, type TeamListFilter, type TeamListQuery } from './admin-list.ts'

const at = (minutes: number) => ({ createdAt: start + minutes * MINUTE_MS })
const teams = [
  teamRow('a', { name: 'Zebra', email: 'z@one.test', division: 'open', ...at(3) }),
  teamRow('b', { name: 'ant', email: null, extrankId: '7', division: 'uni', ...at(1) }),
  teamRow('c', { name: 'Bee', email: 'bee@two.test', division: 'uni', ...at(1) }),
  teamRow('d', { name: 'antler', email: 'd@two.test', division: 'open', perms: 16, ...at(2) }),
  teamRow('e', { name: 'Giant', email: 'e@one.test', division: '__proto__', banned: true, ...at(4) }),
]
const world = createWorld(
  rules,
  worldRows({
    teams,
    challenges: [
      challengeRow('x'),
      challengeRow('y', { hidden: true }),
      challengeRow('fed', { scoringKind: 'dynamic', hidden: true }),
    ],
    solves: [
      solveRow(1, { challengeId: 'x', teamId: 'c' }),
      solveRow(2, { challengeId: 'x', teamId: 'a' }),
      solveRow(3, { challengeId: 'y', teamId: 'a' }),
      solveRow(4, { challengeId: 'x', teamId: 'e' }),
    ],
    feed: [feedRow('fed', 'a'), feedRow('fed', 'c', { points: -5 })],
  }),
  start,
)

const list = (query: Partial<TeamListQuery> = {}, filter?: TeamListFilter) => {
  const whole = { limit: 100, offset: 0, sortBy: 'createdAt', sortOrder: 'asc' } as const
  return pageOfTeams(world, { ...whole, ...query }, filter)
}
const ids = (...args: Parameters<typeof list>) =>
  list(...args)
    .teams.map(({ id }) => id)
    .join('')

describe('the order of teams', () => {
  const orders = [
    // Teams with the same timestamp are sorted by id, which is reversed with the order.
    ['createdAt', 'bcdae', 'eadcb'],
    ['team', 'bdcea', 'aecdb'],
    // Teams without an address come first.
    ['email', 'bcdea', 'aedcb'],
    ['division', 'edabc', 'bcdae'],
    // Ties are sorted oldest first in both directions.
    ['solves', 'bdeca', 'acebd'],
    // Order: active, admin, banned.
    ['status', 'bcade', 'edbca'],
  ] as const
  test.each(orders)('by %s', (sortBy, asc, desc) => {
    expect(ids({ sortBy })).toBe(asc)
    expect(ids({ sortBy, sortOrder: 'desc' })).toBe(desc)
  })

  test('by score, which a banned team does not have', () => {
    // Each has one public solve. Hidden challenges do not count.
    expect(world.standing('a').score).toBe(world.standing('c').score)
    expect(ids({ sortBy: 'score' })).toBe('bdeca')
    expect(ids({ sortBy: 'score', sortOrder: 'desc' })).toBe('cabde')
  })
})

describe('a search', () => {
  test('covers names and addresses, ignoring case, with the best name match first and then in the requested order', () => {
    expect(ids({ search: 'ANT' })).toBe('bde')
    expect(ids({ search: 'ant', sortBy: 'team', sortOrder: 'desc' })).toBe('bde')
    expect(ids({ search: 'one.test', sortBy: 'team' })).toBe('ea')
    // A name match ranks above an email match, even of an older team.
    expect(ids({ search: 'e@' })).toBe('ce')
  })

  test('treats wildcards as literal characters, and blank as no search', () => {
    expect(ids({ search: '%' })).toBe('')
    expect(ids({ search: 'a_t' })).toBe('')
    expect(ids({ search: '' })).toBe('bcdae')
  })
})

describe('filters', () => {
  test('keep what they include and drop what they exclude', () => {
    expect(ids({}, { status: { include: ['active'] } })).toBe('bca')
    expect(ids({}, { status: { include: ['active', 'banned'], exclude: ['banned'] } })).toBe('bca')
    expect(ids({}, { status: { exclude: ['admin'] }, division: { exclude: ['open'] } })).toBe('bce')
    expect(ids({}, { division: { include: ['open', 'nowhere'] } })).toBe('da')
  })

  test('without a value restrict nothing', () => {
    for (const division of [null, {}, { include: null, exclude: null }, { include: [], exclude: [] }])
      expect(ids({}, { division, status: null })).toBe('bcdae')
  })

  test('treat names of JavaScript built-ins as plain names', () => {
    expect(ids({}, { division: { include: ['__proto__'] } })).toBe('e')
    expect(ids({}, { division: { include: ['constructor', 'toString'] } })).toBe('')
  })
})

test('returns one page and the total', () => {
  expect(ids({ offset: 1, limit: 2 })).toBe('cd')
  expect(list({ offset: 1, limit: 2 }).total).toBe(5)
  expect(list({ offset: 900, limit: 2 })).toEqual({ total: 5, teams: [] })
})
