import type { Challenge } from '../../../challenge/challenge.ts'
import type { BuntingItem } from '../../../ui/marks/bunting-line.tsx'
import { compareCategories } from '../../../ui/marks/categories.ts'

export const shows = ['all', 'open', 'solved'] as const
export const sorts = ['category', 'pointsUp', 'pointsDown', 'fewest', 'most', 'newest', 'name'] as const
export type Show = (typeof shows)[number]
export type SortName = (typeof sorts)[number]

/** Filters and order of the list, stored in the URL as `q, show, cat, sort`. */
export interface View {
  readonly query: string
  readonly show: Show
  /** Empty for all. */
  readonly categories: readonly string[]
  readonly sort: SortName
}

/** Parses the view from the URL; unknown values are ignored. */
export function viewOf(search: URLSearchParams): View {
  return {
    query: search.get('q') ?? '',
    show: shows.find((show) => show === search.get('show')) ?? 'all',
    categories: search.getAll('cat'),
    sort: sorts.find((sort) => sort === search.get('sort')) ?? 'category',
  }
}

/** Replaces the view in the query string and keeps other parameters. */
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

/** Replaces the tab in the query string; the default tab is omitted. */
export function withTab(search: URLSearchParams, tab: string): URLSearchParams {
  const next = new URLSearchParams(search)
  if (tab === 'details') next.delete('tab')
  else next.set('tab', tab)
  return next
}

/** Whether the query string contains no view. */
export function isSilent(search: URLSearchParams): boolean {
  return !NAMES.some((name) => search.has(name))
}

/** What is known about the challenges for this team and this browser. */
export interface Own {
  /** Whether a team with data is signed in. */
  readonly isTeam: boolean
  readonly solved: ReadonlySet<string>
  /** Solved challenges with first, second or third blood, 1 to 3. */
  readonly bloods: ReadonlyMap<string, 1 | 2 | 3>
  /** Points on dynamic challenges. */
  readonly live: ReadonlyMap<string, { readonly points: number; readonly pointDelta: number }>
}

/** The team's points and the maximum. Dynamic points have no maximum of their own. */
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

/** Whether a challenge is scored dynamically: it has different points for each team, and no one solves it. */
export function isLive({ scoringKind }: Pick<Challenge, 'scoringKind'>): boolean {
  return scoringKind === 'dynamic'
}

/**
 * Counts the solved and the solvable challenges; dynamic challenges and those without a flag cannot be
 * solved.
 */
export function countSolved(challenges: readonly Challenge[], solved: ReadonlySet<string>) {
  const done = challenges.filter(({ id }) => solved.has(id)).length
  const open = challenges.filter((each) => each.hasFlag && !isLive(each) && !solved.has(each.id)).length
  return { done, all: done + open }
}

interface Solve {
  readonly id: string
  /** 0 to 2 for the first three solves of the challenge. */
  readonly bloodIndex: number | null
}

/** The place of the team in each challenge where it was among the first three. */
export function bloodsOf(solves: readonly Solve[]): Own['bloods'] {
  return new Map(
    solves.flatMap(({ id, bloodIndex }) => {
      const place = ([1, 2, 3] as const)[bloodIndex ?? -1]
      return place === undefined ? [] : [[id, place] as const]
    }),
  )
}

/** A cloth for each challenge that can be solved, in the order of the list. */
export function clothsOf(
  challenges: readonly Challenge[],
  { solved, bloods }: Pick<Own, 'solved' | 'bloods'>,
): BuntingItem[] {
  return challenges
    .filter((each) => solved.has(each.id) || (each.hasFlag && !isLive(each)))
    .map(({ id, category }) => ({
      category,
      state: solved.has(id) ? (bloods.get(id) ?? 'solved') : 'open',
    }))
}

/**
 * The open challenge that most teams have solved, a dynamic one if no other is open; null if nothing is left.
 */
export function nextOf(challenges: readonly Challenge[], solved: ReadonlySet<string>): Challenge | null {
  const open = challenges.filter((each) => !solved.has(each.id) && (each.hasFlag || isLive(each)))
  return open.toSorted(byEase)[0] ?? null
}

/** The next challenge of the same category, else of any; null if nothing but this one is left. */
export function nextAfter(
  { id, category }: Challenge,
  challenges: readonly Challenge[],
  solved: ReadonlySet<string>,
): Challenge | null {
  const others = challenges.filter((each) => each.id !== id && !isLive(each))
  const near = others.filter((each) => each.category === category)
  return nextOf(near, solved) ?? nextOf(others, solved)
}

function byEase(left: Challenge, right: Challenge): number {
  return (
    Number(isLive(left)) - Number(isLive(right)) || right.solves - left.solves || left.points - right.points
  )
}

export interface Group {
  /** Null if the list is not grouped by category. */
  readonly category: string | null
  readonly challenges: readonly Challenge[]
}

interface Known {
  readonly solved: ReadonlySet<string>
  /** First-seen time per challenge in this browser. */
  readonly seen: Readonly<Record<string, number>>
}

/** The challenges of a view in order. Every search word must match somewhere. */
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

/** The distinct categories in list order. */
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

/** The next or previous id, wrapping around; the first or last if `from` is not in the list. */
export function stepFrom(ids: readonly string[], from: string | undefined, by: number): string | undefined {
  const at = from === undefined ? -1 : ids.indexOf(from)
  return ids.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % ids.length)
}
