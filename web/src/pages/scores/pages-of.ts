import type { Span } from '../../ui/data/rows-in-view.ts'

/** Limits parallel requests; the visible rows are only a few dozen. */
const MAX_PAGES = 6

/** The page numbers (from 0) that contain the rows of a span; at least the first page. */
export function pagesOf({ from, to }: Span, size: number): number[] {
  const first = Math.floor(from / size)
  const last = Math.max(first, Math.floor((to - 1) / size))
  return Array.from({ length: Math.min(last - first + 1, MAX_PAGES) }, (_, at) => first + at)
}
