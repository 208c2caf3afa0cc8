import type { Span } from '../../ui/data/rows-in-view.ts'

/** More would be more requests than an eye can use: the rows in view are a few dozen. */
const MOST_PAGES = 6

/** The pages that hold the rows of a span, from 0; at least the first. */
export function pagesOf({ from, to }: Span, size: number): number[] {
  const first = Math.floor(from / size)
  const last = Math.max(first, Math.floor((to - 1) / size))
  return Array.from({ length: Math.min(last - first + 1, MOST_PAGES) }, (_, at) => first + at)
}
