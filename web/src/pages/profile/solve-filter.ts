import type { Solve } from './solve-order.ts'

export interface SolveFilter {
  /** Every word must occur in the challenge's or the category's name. */
  readonly query: string
  /** Of this category only; of all when empty. */
  readonly category: string
}

export function matching(solves: readonly Solve[], { query, category }: SolveFilter): Solve[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return solves.filter((solve) => {
    const text = `${solve.name} ${solve.category}`.toLowerCase()
    return (category === '' || solve.category === category) && words.every((word) => text.includes(word))
  })
}
