/** What the bundler tells of a module while it makes files. */
interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importers: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

/** A page, or what opens with the site whatever the page. */
const PAGE = /\/web\/src\/(?:pages\/([\w-]+)\/page|(main))\.tsx$/

/** One page's alone, but of a package that all import as a whole: its importers tell nothing. */
const LENT: readonly (readonly [RegExp, string])[] = [
  [/\/@tanstack\/.*\/(?:useQueries|queriesObserver)\.js$/, 'page-scores'],
]

/**
 * Which file a module goes to: with its page, when one page alone opens with it. Left to itself the bundler gives
 * each module a file of its own that both a page and one of its later parts import, and a slow phone waits for each.
 * What a later part of another page needs too stays apart: that part would fetch this whole page for it.
 */
export function pageChunk(id: string, graph: ModuleGraph): string | null {
  const lent = LENT.find(([test]) => test.test(id))
  if (lent) return lent[1]
  const [page, ...others] = pagesOf(id, graph, false)
  if (page === undefined || others.length > 0) return null
  return pagesOf(id, graph, true).size === 1 ? `page-${page}` : null
}

/** The pages that need a module to open; with `isLater` also those that need it for what they fetch later. */
function pagesOf(id: string, graph: ModuleGraph, isLater: boolean): ReadonlySet<string> {
  const pages = new Set<string>()
  const seen = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const [, page, main] = PAGE.exec(next) ?? []
    const info = graph.getModuleInfo(next)
    open.push(...(info?.importers ?? []))
    const root = page ?? main
    if (root !== undefined) pages.add(root)
    // Every page is fetched later by the map of the site.
    else if (isLater) open.push(...(info?.dynamicImporters ?? []))
  }
  return pages
}
