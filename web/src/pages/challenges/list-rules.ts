import type { Challenge } from '../../challenge/challenge.ts'
import { compareCategories } from '../../ui/marks/categories.ts'

export const shows = ['all', 'open', 'solved'] as const
export const sorts = ['category', 'pointsUp', 'pointsDown', 'fewest', 'most', 'newest', 'name'] as const
export type Show = (typeof shows)[number]
export type SortName = (typeof sorts)[number]

/** What the list is narrowed to. It stands in the address as `q, show, cat, sort`. */
export interface View {
  readonly query: string
  readonly show: Show
  /** Empty for all. */
  readonly categories: readonly string[]
  readonly sort: SortName
}

/** An unknown value in an address counts as none. */
export function viewOf(search: URLSearchParams): View {
  return {
    query: search.get('q') ?? '',
    show: shows.find((show) => show === search.get('show')) ?? 'all',
    categories: search.getAll('cat'),
    sort: sorts.find((sort) => sort === search.get('sort')) ?? 'category',
  }
}

/** The view in place of what the address said of it; other parts stay. */
export function withView(search: URLSearchParams, { query, show, categories, sort }: View): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of NAMES) next.delete(name)
  if (query !== '') next.set('q', query)
  if (show !== 'all') next.set('show', show)
  for (const category of categories) next.append('cat', category)
  if (sort !== 'category') next.set('sort', sort)
  return next
}

const NAMES = ['q', 'show', 'cat', 'sort']

/** The tab in place of the one that the address named; what nobody chose is not named. */
export function withTab(search: URLSearchParams, tab: string): URLSearchParams {
  const next = new URLSearchParams(search)
  if (tab === 'details') next.delete('tab')
  else next.set('tab', tab)
  return next
}

/** Whether an address says nothing of the view. */
export function isSilent(search: URLSearchParams): boolean {
  return !NAMES.some((name) => search.has(name))
}

/** What the team has, and this browser knows, of the challenges. */
export interface Own {
  /** Whether somebody is signed in, of whom there is something to tell. */
  readonly isTeam: boolean
  readonly solved: ReadonlySet<string>
  /** On dynamic challenges. */
  readonly live: ReadonlyMap<string, { readonly points: number; readonly pointDelta: number }>
}

/** The team's points, and those that there are. Live points have no bound of their own. */
export function pointsOf(challenges: readonly Challenge[], { solved, live }: Pick<Own, 'solved' | 'live'>) {
  let own = 0
  let all = 0
  for (const { id, points } of challenges) {
    const has = live.get(id)?.points ?? (solved.has(id) ? points : 0)
    own += has
    all += Math.max(points, has)
  }
  return { own, all }
}

/** Worth to each team what it has there at the moment; nobody solves it. */
export function isLive({ scoringKind }: Pick<Challenge, 'scoringKind'>): boolean {
  return scoringKind === 'dynamic'
}

/** How many the team has solved, of those that can be: what is scored live, or takes no flag, never is. */
export function countSolved(challenges: readonly Challenge[], solved: ReadonlySet<string>) {
  const done = challenges.filter(({ id }) => solved.has(id)).length
  const open = challenges.filter((each) => each.hasFlag && !isLive(each) && !solved.has(each.id)).length
  return { done, all: done + open }
}

export interface Group {
  /** Null when the list is not ordered by category. */
  readonly category: string | null
  readonly challenges: readonly Challenge[]
}

interface Known {
  readonly solved: ReadonlySet<string>
  /** When each appeared in this browser. */
  readonly seen: Readonly<Record<string, number>>
}

/** The challenges of a view, in its order. Every word of the search must occur somewhere. */
export function groupsOf(
  challenges: readonly Challenge[],
  { solved, seen }: Known,
  view: View,
): readonly Group[] {
  const words = view.query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = challenges.filter((challenge) => {
    const { id, name, author, category, description } = challenge
    if (view.categories.length > 0 && !view.categories.includes(category)) return false
    if (view.show !== 'all' && solved.has(id) !== (view.show === 'solved')) return false
    const text = `${name}\n${author}\n${category}\n${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (shown.length === 0) return []
  if (view.sort === 'newest')
    return [{ category: null, challenges: shown.toSorted((a, b) => (seen[b.id] ?? 0) - (seen[a.id] ?? 0)) }]
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

const ORDERS: Readonly<Record<Exclude<SortName, 'category' | 'newest'>, Order>> = {
  pointsUp: (left, right) => left.points - right.points,
  pointsDown: (left, right) => right.points - left.points,
  fewest: (left, right) => left.solves - right.solves,
  most: (left, right) => right.solves - left.solves,
  name: (left, right) => left.name.localeCompare(right.name),
}

/** The next or previous of a list, round its ends; from none that is in it, its first or last. */
export function stepFrom(ids: readonly string[], from: string | undefined, by: number): string | undefined {
  const at = from === undefined ? -1 : ids.indexOf(from)
  return ids.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % ids.length)
}
