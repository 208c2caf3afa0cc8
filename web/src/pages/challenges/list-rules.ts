import type { ChallengeV2 } from '@pennant/contract/challenges.ts'
import type { z } from 'zod'
import { compareCategories } from '../../ui/marks/categories.ts'

export type Challenge = z.output<typeof ChallengeV2>

export const shows = ['all', 'open', 'solved'] as const
export const sorts = ['category', 'pointsUp', 'pointsDown', 'fewest', 'most', 'name'] as const
export type Show = (typeof shows)[number]
export type SortName = (typeof sorts)[number]

/** What the list is narrowed to. It stands in the address as `q, show, cat, sort`. */
export interface View {
  readonly query: string
  readonly show: Show
  /** Empty for all. */
  readonly category: string
  readonly sort: SortName
}

/** An unknown value in an address counts as none. */
export function viewOf(search: URLSearchParams): View {
  return {
    query: search.get('q') ?? '',
    show: shows.find((show) => show === search.get('show')) ?? 'all',
    category: search.get('cat') ?? '',
    sort: sorts.find((sort) => sort === search.get('sort')) ?? 'category',
  }
}

export interface Group {
  /** Null when the list is not ordered by category. */
  readonly category: string | null
  readonly challenges: readonly Challenge[]
}

/** The challenges of a view, in its order. Every word of the search must occur somewhere. */
export function groupsOf(
  challenges: readonly Challenge[],
  solved: ReadonlySet<string>,
  view: View,
): readonly Group[] {
  const words = view.query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = challenges.filter((challenge) => {
    if (view.category !== '' && challenge.category !== view.category) return false
    if (view.show !== 'all' && solved.has(challenge.id) !== (view.show === 'solved')) return false
    const { name, author, category, description } = challenge
    const text = `${name}\n${author}\n${category}\n${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (shown.length === 0) return []
  if (view.sort !== 'category') return [{ category: null, challenges: shown.toSorted(ORDERS[view.sort]) }]
  return categoriesOf(shown).map((category) => ({
    category,
    challenges: shown.filter((challenge) => challenge.category === category),
  }))
}

/** Each category once, in the order of lists. */
export function categoriesOf(challenges: readonly Challenge[]): string[] {
  return [...new Set(challenges.map(({ category }) => category))].sort(compareCategories)
}

type Order = (left: Challenge, right: Challenge) => number

const ORDERS: Readonly<Record<Exclude<SortName, 'category'>, Order>> = {
  pointsUp: (left, right) => left.points - right.points,
  pointsDown: (left, right) => right.points - left.points,
  fewest: (left, right) => left.solves - right.solves,
  most: (left, right) => right.solves - left.solves,
  name: (left, right) => left.name.localeCompare(right.name),
}
