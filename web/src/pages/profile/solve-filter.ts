import type { Solve } from './solve-order.ts'

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
