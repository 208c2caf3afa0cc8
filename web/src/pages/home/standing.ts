import type { BuntingItem } from '../../ui/marks/bunting-line.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'

interface Listed {
  readonly id: string
  readonly category: string
  readonly solves: number
}

interface Solved {
  readonly id: string
  /** 0 to 2 for the first three solves of the challenge. */
  readonly bloodIndex: number | null
}

/** A cloth for each challenge, by category: solved ones first, with the team's bloods. */
export function buntingOf(challenges: readonly Listed[], solves: readonly Solved[]): BuntingItem[] {
  const own = new Map(solves.map((solve) => [solve.id, solve]))
  const isOpen = ({ id }: Listed) => Number(!own.has(id))
  return challenges
    .toSorted(
      (left, right) => compareCategories(left.category, right.category) || isOpen(left) - isOpen(right),
    )
    .map(({ id, category }) => ({ category, state: stateOf(own.get(id)) }))
}

function stateOf(solve: Solved | undefined): BuntingItem['state'] {
  if (!solve) return 'open'
  return ([1, 2, 3] as const)[solve.bloodIndex ?? -1] ?? 'solved'
}

/** The challenges that the team has not solved, those that most other teams solved first. */
export function nextFor<Item extends Listed>(challenges: readonly Item[], solves: readonly Solved[]): Item[] {
  const own = new Set(solves.map(({ id }) => id))
  return challenges.filter(({ id }) => !own.has(id)).toSorted((left, right) => right.solves - left.solves)
}

/** The number of solves of each category, in list order. */
export function solvesByCategory(
  challenges: readonly Listed[],
): (readonly [category: string, solves: number])[] {
  const sums = new Map<string, number>()
  for (const { category, solves } of challenges) sums.set(category, (sums.get(category) ?? 0) + solves)
  return [...sums].toSorted(([left], [right]) => compareCategories(left, right))
}
