import { expect, test } from 'vitest'
import type { Challenge } from '../../../challenge/challenge.ts'
import {
  categoriesOf,
  clothsOf,
  countSolved,
  groupsOf,
  isSilent,
  nextAfter,
  nextOf,
  pointsOf,
  stepFrom,
  viewOf,
  withTab,
  withView,
} from './rules.ts'

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
    instancerStoppable: true,
    instancerActions: [],
    adminBotInputs: null,
    hasFlag: true,
    scoringKind: 'decay',
    tags: [],
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

test('without valid parameters all challenges are shown by category', () => {
  expect(viewOf(new URLSearchParams('show=x&sort=y'))).toEqual(view)
  expect(groupsOf(all, known(), view).map(({ category }) => category)).toEqual(['web', 'misc'])
})

test('every search word must match some field, ignoring case', () => {
  expect(names(groupsOf(all, known(), { ...view, query: 'RUSTY web' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, known(), { ...view, query: 'grace' }))).toEqual(['Key'])
  expect(groupsOf(all, known(), { ...view, query: 'rusty grace' })).toEqual([])
})

test('every challenge is either open or solved', () => {
  const solved = known('Lock')
  expect(names(groupsOf(all, solved, { ...view, show: 'solved' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, solved, { ...view, show: 'open' }))).toEqual(['Key', 'Harbour'])
})

test('a list that is not sorted by category is not grouped', () => {
  const ordered = groupsOf(all, known(), { ...view, sort: 'pointsDown' })
  expect([ordered.length, names(ordered)]).toEqual([1, ['Harbour', 'Key', 'Lock']])
  expect(names(groupsOf(all, known(), { ...view, sort: 'fewest' }))).toEqual(['Harbour', 'Key', 'Lock'])
})

test('only chosen categories are shown, and each is listed once', () => {
  expect(names(groupsOf(all, known(), { ...view, categories: ['misc'] }))).toEqual(['Harbour'])
  expect(names(groupsOf(all, known(), { ...view, categories: ['misc', 'web'] }))).toHaveLength(3)
  expect(categoriesOf(all)).toEqual(['web', 'misc'])
})

test('steps wrap around, and start at the first or last row without a current one', () => {
  const ids = ['a', 'b', 'c']
  expect([stepFrom(ids, 'a', 1), stepFrom(ids, 'c', 1), stepFrom(ids, 'a', -1)]).toEqual(['b', 'a', 'c'])
  expect([stepFrom(ids, undefined, 1), stepFrom(ids, 'gone', -1)]).toEqual(['a', 'c'])
  expect(stepFrom([], undefined, 1)).toBeUndefined()
})

test('the newest come first, challenges of the first visit last', () => {
  expect(names(groupsOf(all, known(), { ...view, sort: 'newest' }))).toEqual(['Key', 'Harbour', 'Lock'])
})

test('a view survives the URL and keeps its other parameters', () => {
  const narrowed = { query: 'a b', show: 'open', categories: ['web', 'a,b'], sort: 'newest' } as const
  const address = withView(new URLSearchParams('tab=solves&sort=most'), narrowed)
  expect(viewOf(new URLSearchParams(address.toString()))).toEqual(narrowed)
  expect(address.get('tab')).toBe('solves')
  expect(isSilent(address)).toBe(false)
  expect(isSilent(withView(address, view))).toBe(true)
})

test('the next challenge is the open one with the most solves, a dynamic one only if nothing else is left', () => {
  const few = challenge('few', { solves: 2 })
  const many = challenge('many', { solves: 9 })
  const cheap = challenge('cheap', { solves: 2, points: 50 })
  const feed = challenge('feed', { solves: 40, scoringKind: 'dynamic', hasFlag: false })
  const words = challenge('words', { solves: 0, hasFlag: false })
  const listed = [few, feed, words, many, cheap]
  expect(nextOf(listed, new Set())).toBe(many)
  expect(nextOf(listed, new Set(['many']))).toBe(cheap)
  expect(nextOf(listed, new Set(['many', 'few', 'cheap']))).toBe(feed)
  expect(nextOf([words, many], new Set(['many']))).toBeNull()
  expect(nextOf([], new Set())).toBeNull()
})

test('after a challenge comes one of its category, else one of another', () => {
  const here = challenge('here', { category: 'pwn', solves: 50 })
  const near = challenge('near', { category: 'pwn', solves: 1 })
  const far = challenge('far', { category: 'web', solves: 20 })
  const listed = [here, far, near]
  expect(nextAfter(here, listed, new Set(['here']))).toBe(near)
  expect(nextAfter(here, listed, new Set(['here', 'near']))).toBe(far)
  expect(nextAfter(here, listed, new Set(['here', 'near', 'far']))).toBeNull()
  expect(nextAfter(here, [here], new Set())).toBeNull()
})

test('a bunting has a cloth for each challenge with a flag, filled if solved, a swallowtail for a blood', () => {
  const feed = challenge('feed', { scoringKind: 'dynamic', hasFlag: false })
  const listed = [challenge('a'), challenge('b', { category: 'pwn' }), feed, challenge('c')]
  expect(clothsOf(listed, { solved: new Set(['a', 'b']), bloods: new Map([['b', 2]]) })).toEqual([
    { category: 'web', state: 'solved' },
    { category: 'pwn', state: 2 },
    { category: 'web', state: 'open' },
  ])
})

test('dynamic points count with their current value', () => {
  const live = new Map([['Lock', { points: 880, pointDelta: 9 }]])
  expect(pointsOf(all, { solved: new Set(['Key']), live })).toEqual({ own: 1080, all: 1380 })
})

test('the tab of a challenge is in the URL, except for the default tab', () => {
  const address = new URLSearchParams('q=key&tab=solves')
  expect(withTab(address, 'scores').toString()).toBe('q=key&tab=scores')
  expect(withTab(address, 'details').toString()).toBe('q=key')
})

test('dynamic challenges and those without a flag do not count as solvable', () => {
  const more = [
    ...all,
    challenge('Pier', { scoringKind: 'dynamic', hasFlag: false }),
    challenge('Map', { hasFlag: false }),
  ]
  expect(countSolved(more, new Set(['Key']))).toEqual({ done: 1, all: 3 })
  expect(countSolved(more, new Set(['Key', 'Map']))).toEqual({ done: 2, all: 4 })
})
