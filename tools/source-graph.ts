import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

// Parses our sources as text, to find type-only imports too, which do not exist at run time.

export type Graph = Readonly<Record<string, readonly string[]>>

export interface Import {
  readonly from: string
  /** A path from the repository root, or a package name. */
  readonly to: string
}

const root = join(import.meta.dirname, '..')

/**
 * `import … from 'x'`, `export … from 'x'`, the last line of a multi-line one, `import 'x'`, `import('x')`
 */
const SPECIFIER =
  /^(?:import|export|\})[^'\n]*\bfrom '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm

export function filesUnder(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(tsx?|css|sql)$/.test(name))
    .map((name) => join(folder, name.replaceAll('\\', '/')))
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The source text without comments and strings. */
export function codeOf(path: string): string {
  return textOf(path).replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '')
}

export function importsOf(path: string): Import[] {
  return [...textOf(path).matchAll(SPECIFIER)].map(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    const isRelative = specifier.startsWith('.')
    const to = isRelative
      ? join(dirname(path), specifier)
      : specifier.replace(/^@pennant\/(\w+)\//, '$1/src/')
    return { from: path, to }
  })
}

/**
 * The layer of `server/src/db/pool.ts` is `db`, of `server/src/ops/verify/run.ts` `ops/verify`, of `contract/src/route.ts`
 * `contract`; `app.ts` and `main.ts` are layers of their own.
 */
export function layerOf(path: string): string {
  const [workspace = '', source, layer = '', tool = ''] = path.split('/')
  if (workspace !== 'server' || source !== 'src') return workspace
  return layer === 'ops' ? `ops/${tool}` : layer
}

/** The feature's name and its wing, or null for files outside of features. */
export function featureOf(path: string): { readonly wing: string; readonly name: string } | null {
  const [, wing, name] = /^server\/src\/features\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  return wing !== undefined && name !== undefined ? { wing, name } : null
}

/** The first cycle of a graph, as a path whose last node occurred before. */
export function cycleIn(graph: Graph): readonly string[] | null {
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): readonly string[] | null => {
    if (trail.includes(node)) return [...trail, node]
    if (done.has(node)) return null
    const found = firstOf(graph[node] ?? [], (next) => visit(next, [...trail, node]))
    done.add(node)
    return found
  }
  return firstOf(Object.keys(graph), (node) => visit(node, []))
}

function firstOf<T>(items: readonly string[], find: (item: string) => T | null): T | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
