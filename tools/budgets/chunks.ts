import type { ChunkOfBuild } from '../../web/build/chunk-list.ts'

/** The build's scripts by file name. */
export type Chunks = ReadonlyMap<string, ChunkOfBuild>

const PAGE = /^src\/pages\/([\w-]+)\/page\.tsx$/
/** The texts of another language replace the English ones, so they are not counted in addition. */
const OTHER_LANGUAGE = /^src\/text\/(?!en\/)\w+\//

export function fileWith(chunks: Chunks, module: string): string {
  const found = [...chunks.values()].find(({ modules }) => modules.includes(module))
  if (!found) throw new Error(`${module} is in no file of the build`)
  return found.file
}

/** The name of the page that the chunk is the entry of, if any. */
export function pageOf({ modules }: ChunkOfBuild): string | null {
  for (const module of modules) {
    const name = PAGE.exec(module)?.[1]
    if (name !== undefined) return name
  }
  return null
}

interface Walk {
  readonly start: readonly string[]
  /** Files that are already loaded or counted elsewhere. */
  readonly without?: ReadonlySet<string>
  /** Whether to include lazy-loaded parts, except pages and other languages. */
  readonly isWhole?: boolean
}

/** All files that the given files import, directly or indirectly. */
export function closure(chunks: Chunks, { start, without = new Set(), isWhole = false }: Walk): Set<string> {
  const found = new Set<string>()
  const open = [...start]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || without.has(file)) continue
    found.add(file)
    const chunk = chunks.get(file)
    const later = (chunk?.dynamicImports ?? []).filter((name) => isPart(chunks.get(name)))
    open.push(...(chunk?.imports ?? []), ...(isWhole ? later : []))
  }
  return found
}

function isPart(chunk: ChunkOfBuild | undefined): boolean {
  if (!chunk || pageOf(chunk) !== null) return false
  return !chunk.modules.some((module) => OTHER_LANGUAGE.test(module))
}
