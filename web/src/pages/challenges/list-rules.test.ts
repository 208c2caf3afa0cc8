import { expect, test } from 'vitest'
import type { Challenge } from '../../challenge/challenge.ts'
import {
  categoriesOf,
  countSolved,
  groupsOf,
  isSilent,
  pointsOf,
  stepFrom,
  viewOf,
  withTab,
  withView,
} from './list-rules.ts'

function challenge(id: string, parts: Partial<Challenge> = {}): Challenge {
  return {
    id,
    name: id,
    description: '',
    category: 'web',
    author: 'ada',
    files: [],
    points: 100,
    solves: 0,
    sortWeight: null,
    instancerLifetime: null,
    instancerExtendable: false,
    adminBotInputs: null,
    hasFlag: true,
    scoringKind: 'decay',
    ...parts,
  }
}

const all = [
  challenge('Harbour', { category: 'misc', points: 300, solves: 2 }),
  challenge('Lock', { category: 'web', points: 100, solves: 9, description: 'A rusty door' }),
  challenge('Key', { category: 'web', points: 200, solves: 5, author: 'grace' }),
]
const known = (...solved: string[]) => ({ solved: new Set(solved), seen: { Harbour: 5, Key: 9 } })
const view = viewOf(new URLSearchParams())
const names = (groups: ReturnType<typeof groupsOf>) =>
  groups.flatMap((group) => group.challenges.map(({ name }) => name))

test('an address says nothing, or nonsense: all challenges by category', () => {
  expect(viewOf(new URLSearchParams('show=x&sort=y'))).toEqual(view)
  expect(groupsOf(all, known(), view).map(({ category }) => category)).toEqual(['web', 'misc'])
})

test('every word of a search must occur, in any part and in any case', () => {
  expect(names(groupsOf(all, known(), { ...view, query: 'RUSTY web' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, known(), { ...view, query: 'grace' }))).toEqual(['Key'])
  expect(groupsOf(all, known(), { ...view, query: 'rusty grace' })).toEqual([])
})

test('open and solved part the list between them', () => {
  const solved = known('Lock')
  expect(names(groupsOf(all, solved, { ...view, show: 'solved' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, solved, { ...view, show: 'open' }))).toEqual(['Key', 'Harbour'])
})

test('another order than by category is one list', () => {
  const ordered = groupsOf(all, known(), { ...view, sort: 'pointsDown' })
  expect([ordered.length, names(ordered)]).toEqual([1, ['Harbour', 'Key', 'Lock']])
  expect(names(groupsOf(all, known(), { ...view, sort: 'fewest' }))).toEqual(['Harbour', 'Key', 'Lock'])
})

test('a category alone is shown when it is chosen, and each is named once', () => {
  expect(names(groupsOf(all, known(), { ...view, categories: ['misc'] }))).toEqual(['Harbour'])
  expect(names(groupsOf(all, known(), { ...view, categories: ['misc', 'web'] }))).toHaveLength(3)
  expect(categoriesOf(all)).toEqual(['web', 'misc'])
})

test('steps go round the ends of the list, and begin at the end they come from', () => {
  const ids = ['a', 'b', 'c']
  expect([stepFrom(ids, 'a', 1), stepFrom(ids, 'c', 1), stepFrom(ids, 'a', -1)]).toEqual(['b', 'a', 'c'])
  expect([stepFrom(ids, undefined, 1), stepFrom(ids, 'gone', -1)]).toEqual(['a', 'c'])
  expect(stepFrom([], undefined, 1)).toBeUndefined()
})

test('the newest stand first, those of the first look after them', () => {
  expect(names(groupsOf(all, known(), { ...view, sort: 'newest' }))).toEqual(['Key', 'Harbour', 'Lock'])
})

test('a view goes into the address and comes back, and leaves its other parts alone', () => {
  const narrowed = { query: 'a b', show: 'open', categories: ['web', 'a,b'], sort: 'newest' } as const
  const address = withView(new URLSearchParams('tab=solves&sort=most'), narrowed)
  expect(viewOf(new URLSearchParams(address.toString()))).toEqual(narrowed)
  expect(address.get('tab')).toBe('solves')
  expect(isSilent(address)).toBe(false)
  expect(isSilent(withView(address, view))).toBe(true)
})

test('live points count as they stand', () => {
  const live = new Map([['Lock', { points: 880, pointDelta: 9 }]])
  expect(pointsOf(all, { solved: new Set(['Key']), live })).toEqual({ own: 1080, all: 1380 })
})

test('the tab of a challenge is named in its address, and is not when it is the first', () => {
  const address = new URLSearchParams('q=key&tab=solves')
  expect(withTab(address, 'scores').toString()).toBe('q=key&tab=scores')
  expect(withTab(address, 'details').toString()).toBe('q=key')
})

test('what is scored live or takes no flag is not among those that can be solved', () => {
  const more = [
    ...all,
    challenge('Pier', { scoringKind: 'dynamic', hasFlag: false }),
    challenge('Map', { hasFlag: false }),
  ]
  expect(countSolved(more, new Set(['Key']))).toEqual({ done: 1, all: 3 })
  expect(countSolved(more, new Set(['Key', 'Map']))).toEqual({ done: 2, all: 4 })
})
