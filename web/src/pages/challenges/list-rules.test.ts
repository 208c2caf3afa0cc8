import { expect, test } from 'vitest'
import { categoriesOf, groupsOf, viewOf, type Challenge } from './list-rules.ts'

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
const view = viewOf(new URLSearchParams())
const names = (groups: ReturnType<typeof groupsOf>) =>
  groups.flatMap((group) => group.challenges.map(({ name }) => name))

test('an address says nothing, or nonsense: all challenges by category', () => {
  expect(viewOf(new URLSearchParams('show=x&sort=y'))).toEqual(view)
  expect(groupsOf(all, new Set(), view).map(({ category }) => category)).toEqual(['web', 'misc'])
})

test('every word of a search must occur, in any part and in any case', () => {
  expect(names(groupsOf(all, new Set(), { ...view, query: 'RUSTY web' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, new Set(), { ...view, query: 'grace' }))).toEqual(['Key'])
  expect(groupsOf(all, new Set(), { ...view, query: 'rusty grace' })).toEqual([])
})

test('open and solved part the list between them', () => {
  const solved = new Set(['Lock'])
  expect(names(groupsOf(all, solved, { ...view, show: 'solved' }))).toEqual(['Lock'])
  expect(names(groupsOf(all, solved, { ...view, show: 'open' }))).toEqual(['Key', 'Harbour'])
})

test('another order than by category is one list', () => {
  const ordered = groupsOf(all, new Set(), { ...view, sort: 'pointsDown' })
  expect([ordered.length, names(ordered)]).toEqual([1, ['Harbour', 'Key', 'Lock']])
  expect(names(groupsOf(all, new Set(), { ...view, sort: 'fewest' }))).toEqual(['Harbour', 'Key', 'Lock'])
})

test('a category alone is shown when it is chosen, and each is named once', () => {
  expect(names(groupsOf(all, new Set(), { ...view, category: 'misc' }))).toEqual(['Harbour'])
  expect(categoriesOf(all)).toEqual(['web', 'misc'])
})
