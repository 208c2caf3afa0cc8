import { describe, expect, test } from 'vitest'
import {
  challengeRow,
  feedRow,
  minute,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../test/contest-rows.ts'
import { createWorld } from '../../world/world.ts'
import { pageOfTeams, type TeamListFilter, type TeamListQuery } from './admin-list.ts'

const at = (minutes: number) => ({ createdAt: start + minutes * minute })
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
    // Two of one instant go by id, and by time they turn around with the order.
    ['createdAt', 'bcdae', 'eadcb'],
    ['team', 'bdcea', 'aecdb'],
    // Without an address first.
    ['email', 'bcdea', 'aedcb'],
    ['division', 'edabc', 'bcdae'],
    // Equal counts stay oldest first in both directions.
    ['solves', 'bdeca', 'acebd'],
    // Active, admin, banned.
    ['status', 'bcade', 'edbca'],
  ] as const
  test.each(orders)('by %s', (sortBy, asc, desc) => {
    expect(ids({ sortBy })).toBe(asc)
    expect(ids({ sortBy, sortOrder: 'desc' })).toBe(desc)
  })

  test('by score, which a banned team has none of', () => {
    // Both have one public solve; what is on hidden challenges does not count.
    expect(world.standing('a').score).toBe(world.standing('c').score)
    expect(ids({ sortBy: 'score' })).toBe('bdeca')
    expect(ids({ sortBy: 'score', sortOrder: 'desc' })).toBe('cabde')
  })
})

describe('a search', () => {
  test('looks in names and addresses, whatever the case, best name first and then in the order asked for', () => {
    expect(ids({ search: 'ANT' })).toBe('bde')
    expect(ids({ search: 'ant', sortBy: 'team', sortOrder: 'desc' })).toBe('bde')
    expect(ids({ search: 'one.test', sortBy: 'team' })).toBe('ea')
    // A name beats an address, though it is older.
    expect(ids({ search: 'e@' })).toBe('ce')
  })

  test('takes wildcards for what they are, and blank for none', () => {
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

  test('take names of JavaScript itself for names', () => {
    expect(ids({}, { division: { include: ['__proto__'] } })).toBe('e')
    expect(ids({}, { division: { include: ['constructor', 'toString'] } })).toBe('')
  })
})

test('a page is cut from the whole and tells how much there is', () => {
  expect(ids({ offset: 1, limit: 2 })).toBe('cd')
  expect(list({ offset: 1, limit: 2 }).total).toBe(5)
  expect(list({ offset: 900, limit: 2 })).toEqual({ total: 5, teams: [] })
})
