import type { ProfileSolveV2 } from '@pennant/contract/teams.ts'
import type { z } from 'zod'
import type { Sort } from '../../ui/data/data-table.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'
import type { Challenge, Team } from './team.ts'

export type Solve = z.output<typeof ProfileSolveV2>

type Compare = (left: Solve, right: Solve) => number

/** Sorts after the three bloods. */
const NO_BLOOD = 3

const COMPARE: Readonly<Record<string, Compare>> = {
  name: (left, right) => left.name.localeCompare(right.name),
  category: (left, right) => compareCategories(left.category, right.category),
  points: (left, right) => (left.points ?? 0) - (right.points ?? 0),
  blood: (left, right) => (left.bloodIndex ?? NO_BLOOD) - (right.bloodIndex ?? NO_BLOOD),
  createdAt: (left, right) => left.createdAt - right.createdAt,
}

const NEWEST_FIRST: Sort = { by: 'createdAt', direction: 'descending' }

/** Parses a sort key such as `points`, or `-points` for descending; anything else means newest first. */
export function orderFromText(text: string | null): Sort {
  const by = text?.replace(/^-/, '') ?? ''
  if (!Object.hasOwn(COMPARE, by)) return NEWEST_FIRST
  return { by, direction: text?.startsWith('-') ? 'descending' : 'ascending' }
}

export function orderText({ by, direction }: Sort): string {
  return direction === 'descending' ? `-${by}` : by
}

export function sorted(solves: readonly Solve[], { by, direction }: Sort): Solve[] {
  const compare = COMPARE[by] ?? (() => 0)
  const turn = direction === 'descending' ? -1 : 1
  return solves.toSorted((left, right) => turn * compare(left, right))
}

export interface SolveFilter {
  /** Every word must match the challenge name or the category. */
  readonly query: string
  /** Empty for all categories. */
  readonly category: string
}

export function matching(solves: readonly Solve[], { query, category }: SolveFilter): Solve[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return solves.filter((solve) => {
    const text = `${solve.name} ${solve.category}`.toLowerCase()
    return (category === '' || solve.category === category) && words.every((word) => text.includes(word))
  })
}

/**
 * The team's points on the challenges of one category, live scores included, and the most it can have. Live scores have
 * no maximum, so neither has a category with one.
 */
export function categoryPoints(
  { solves, dynamicScores }: Pick<Team, 'solves' | 'dynamicScores'>,
  challenges: readonly Challenge[],
): { own: number; all: number | null } {
  const solved = new Set(solves.map(({ id }) => id))
  const live = new Map(dynamicScores.map(({ id, points }) => [id, points]))
  const own = sum(challenges.map(({ id, points }) => live.get(id) ?? (solved.has(id) ? points : 0)))
  const hasLive = challenges.some(({ scoringKind }) => scoringKind === 'dynamic')
  return { own, all: hasLive ? null : sum(challenges.map(({ points }) => points)) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Whether the score is not the sum of the results: organisers have awarded or deducted points, or it is frozen. */
export function isAdjusted({ score, solves, dynamicScores }: Team): boolean {
  return sum([...solves, ...dynamicScores].map(({ points }) => points ?? 0)) !== score
}
