/** The module information that the bundler provides while it creates chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importers: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

/** A page, or the entry that loads with every page. */
const PAGE = /\/web\/src\/(?:pages\/([\w-]+)\/page|(main))\.tsx$/
const OF_PLAYERS = /^(?!admin-|dashboard$|main$)/
/** As in `src/pages/rare-pages.ts`: pages that few players open. What they share with one other page is not worth a place in everyone's first load. */
const RARE = [
  'consent',
  'device',
  'join',
  'not-found',
  'provider-return',
  'ranking-return',
  'recover',
  'registration',
  'sign-in-link',
  'text-page',
  'tracks',
  'unsubscribe',
  'your-data',
]

/** The page of challenges would need a request for these 100 bytes, which organisers' pages need too. */
const SENDS_FLAGS = 'contract:submissions.ts'

/**
 * The first file has what the frame imports, and what a players' page needs to open and another players' page needs
 * too: as separate chunks, each page would need ten more requests, which is slow on a slow phone.
 */
export function firstChunk(id: string, graph: ModuleGraph): string | null {
  if (id.includes(SENDS_FLAGS)) return 'site'
  const pages = pagesOf(id, graph, false)
  if (pages.has('main')) return 'site'
  if (playersOf(pages) === 0) return null
  return playersOf(pagesOf(id, graph, true)) > 1 ? 'site' : null
}

const playersOf = (pages: ReadonlySet<string>) =>
  [...pages].filter((page) => OF_PLAYERS.test(page) && !RARE.includes(page)).length

/**
 * The chunk of a module: that of its page, if only one page needs it to open. By default the bundler creates
 * a separate chunk for each module that both a page and one of its lazy parts import, and each costs a slow
 * phone a request. Modules that a lazy part of another page needs stay separate; otherwise that part would
 * fetch this whole page.
 */
export function pageChunk(id: string, graph: ModuleGraph): string | null {
  const [page, ...others] = pagesOf(id, graph, false)
  if (page === undefined || others.length > 0) return null
  return pagesOf(id, graph, true).size === 1 ? `page-${page}` : null
}

/** The pages that need a module to open; with `isLater` also those that need it for a lazy part. */
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
    // The site map imports every page dynamically.
    else if (isLater) open.push(...(info?.dynamicImporters ?? []))
  }
  return pages
}
