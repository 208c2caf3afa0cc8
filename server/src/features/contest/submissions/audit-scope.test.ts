import { describe, expect, test } from 'vitest'
import { challengeRow, rules, start, teamRow, worldRows } from '../../../../test/contest-rows.ts'
import { createWorld } from '../../../world/fold/world.ts'
import { isEmpty, scopeOf, type AuditFilter, type AuditSearch } from './audit-scope.ts'

const world = createWorld(
  rules,
  worldRows({
    challenges: [
      challengeRow('a', { name: 'Easy 100%', category: 'web' }),
      challengeRow('b', { name: 'Webshop', category: 'pwn', hidden: true }),
      challengeRow('c', { name: 'under_score', category: 'constructor' }),
    ],
    teams: [
      teamRow('1', { name: 'Ants', division: 'open' }),
      teamRow('2', { name: 'bants', division: 'uni', banned: true }),
      teamRow('3', { name: 'Cats', division: 'uni' }),
    ],
  }),
  start,
)
const gone = { challenges: ['old-web'], teams: ['gone-ant', 'lost'] }
const scope = (filter: AuditFilter, search: AuditSearch = {}) => scopeOf(world, { search, filter }, gone)
const challenges = (...args: Parameters<typeof scope>) => scope(...args).challenges
const teams = (...args: Parameters<typeof scope>) => scope(...args).teams
const all = { include: null, exclude: [] }
const include = (...ids: string[]) => ({ include: ids, exclude: [] })
const exclude = (...ids: string[]) => ({ include: null, exclude: ids })

test('without filters everything is included', () => {
  const nothing = {
    challenges: all,
    teams: all,
    persons: all,
    results: null,
    ips: all,
    after: null,
    before: null,
  }
  expect(scope({})).toEqual(nothing)
  const empty = { include: [], exclude: null }
  expect(scope({ challenge: null, team: empty, kind: empty, result: {}, teamStatus: empty })).toEqual(nothing)
})

test('addresses are matched as they are shown', () => {
  expect(scope({ ip: { include: ['10.0.0.1', '::1'], exclude: ['::1'] } }).ips).toEqual(include('10.0.0.1'))
  expect(scope({ ip: { exclude: ['::1'] } }).ips).toEqual(exclude('::1'))
  expect(isEmpty(scope({ ip: { include: ['::1'], exclude: ['::1'] } }))).toBe(true)
})

describe('challenges', () => {
  test('are selected by id, known or not', () => {
    expect(challenges({ challenge: { include: ['a', 'old-web', '__proto__'] } })).toEqual(
      include('a', 'old-web', '__proto__'),
    )
    expect(challenges({ challenge: { include: ['a', 'b'], exclude: ['b'] } })).toEqual(include('a'))
    expect(challenges({ challenge: { exclude: ['b'] } })).toEqual(exclude('b'))
  })

  test('are selected by category, which a deleted one does not have', () => {
    expect(challenges({ category: { include: ['web', 'deleted'] } })).toEqual(include('a'))
    expect(challenges({ category: { exclude: ['web', 'deleted'] } })).toEqual(exclude('a'))
    expect(challenges({ category: { include: ['constructor'] } })).toEqual(include('c'))
    expect(challenges({ category: { include: ['nothing'] } })).toEqual(include())
  })

  test('must pass every filter', () => {
    expect(challenges({ challenge: { include: ['a', 'old-web'] }, category: { include: ['web'] } })).toEqual(
      include('a'),
    )
    expect(challenges({ challenge: { exclude: ['a'] }, category: { include: ['web', 'pwn'] } })).toEqual(
      include('b'),
    )
    expect(challenges({ challenge: { exclude: ['a'] }, category: { exclude: ['pwn'] } })).toEqual(
      exclude('a', 'b'),
    )
  })

  test('are found by part of the name or category, deleted ones by id, with wildcards as literal characters', () => {
    expect(challenges({}, { challengeSearch: 'WEB' })).toEqual(include('b', 'a', 'old-web'))
    expect(challenges({ category: { exclude: ['pwn'] } }, { challengeSearch: 'web' })).toEqual(
      include('a', 'old-web'),
    )
    expect(challenges({}, { challengeSearch: '%' })).toEqual(include('a'))
    expect(challenges({}, { challengeSearch: '_' })).toEqual(include('c'))
    expect(challenges({}, { challengeSearch: '' })).toEqual(all)
  })
})

describe('teams', () => {
  test('are selected by id, division and search', () => {
    expect(teams({ team: { include: ['1', 'lost'] } })).toEqual(include('1', 'lost'))
    expect(teams({ division: { include: ['uni', 'unknown'] } })).toEqual(include('2', '3'))
    expect(teams({ division: { exclude: ['uni'] } })).toEqual(exclude('2', '3'))
    expect(teams({}, { teamSearch: 'ANT' })).toEqual(include('1', '2', 'gone-ant'))
    expect(teams({ division: { include: ['uni'] } }, { teamSearch: 'ant' })).toEqual(include('2'))
  })

  test('are selected by status; a deleted one is not banned', () => {
    expect(teams({ teamStatus: { include: ['banned'] } })).toEqual(include('2'))
    expect(teams({ teamStatus: { exclude: ['not_banned'] } })).toEqual(include('2'))
    expect(teams({ teamStatus: { include: ['not_banned'] } })).toEqual(exclude('2'))
    expect(teams({ teamStatus: { include: ['banned', 'not_banned'] } })).toEqual(all)
    expect(teams({ teamStatus: { exclude: ['banned', 'not_banned'] } })).toEqual(include())
    expect(teams({ teamStatus: { include: ['not_banned'] }, team: { include: ['2', '3'] } })).toEqual(
      include('3'),
    )
  })
})

test('kinds are selected by their results', () => {
  const flag = ['correct', 'incorrect', 'already_solved']
  expect(scope({ kind: { include: ['flag'] } }).results).toEqual(flag)
  expect(scope({ kind: { exclude: ['admin_bot'] }, result: { exclude: ['correct'] } }).results).toEqual(
    flag.slice(1),
  )
  expect(scope({ kind: { include: ['flag'] }, result: { include: ['queued'] } }).results).toEqual([])
})

test('times are limited to what the database can store', () => {
  const far = scope({ createdAfter: '-271821-04-20T00:00:00Z', createdBefore: '+275760-09-13T00:00:00Z' })
  expect([far.after, far.before]).toEqual([0, Date.UTC(9999, 11, 31)])
  expect(scope({ createdAfter: 'Sat, 10 Jan 2026 12:00:00 GMT' }).after).toBe(start)
})

test('recognizes filters that match no row without a query', () => {
  expect(isEmpty(scope({ category: { include: ['nothing'] } }))).toBe(true)
  expect(isEmpty(scope({ kind: { include: ['flag'] }, result: { include: ['queued'] } }))).toBe(true)
  expect(isEmpty(scope({ category: { exclude: ['nothing'] } }))).toBe(false)
})
