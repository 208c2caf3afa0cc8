import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'

const PREFIX = '\0contract:'
const IMPORT = /^@pennant\/contract\/([\w-]+\.ts)$/
/** The source of an import that exists at run time. */
const RUNTIME_IMPORT = /^import (?!type\b)[^']*'([^']+)'/gm

/**
 * The contract without its schemas, for the files of `src`: types are unchanged, but at run time a route is
 * only its method, path and the few flags that a client needs. This keeps the schema library and server
 * messages out of the bundle.
 */
export function contractRoutes(folder: string): Plugin {
  return {
    name: 'pennant-contract-routes',
    enforce: 'pre',
    resolveId(source, importer) {
      const name = IMPORT.exec(source)?.[1]
      if (name === undefined || importer?.replaceAll('\\', '/').includes('/web/src/') !== true) return null
      return isKeptWhole(folder, name) ? null : PREFIX + name
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return null
      const path = join(folder, id.slice(PREFIX.length))
      this.addWatchFile(path)
      const { module } = await runnerImport<Record<string, unknown>>(path, {
        configFile: false,
        logLevel: 'warn',
      })
      return Object.entries(module).flatMap(lineOf).join('\n')
    },
  }
}

/** Modules that import nothing at run time, or only such modules, are small and are kept: functions and constants. */
function isKeptWhole(folder: string, name: string): boolean {
  const imports = readFileSync(join(folder, name), 'utf8').matchAll(RUNTIME_IMPORT)
  return [...imports].every(
    ([, source = '']) => source.startsWith('./') && isKeptWhole(folder, source.slice(2)),
  )
}

/** Code of one export if it is a route or plain data. Using any other export fails the build. */
function lineOf([name, value]: [string, unknown]): string[] {
  const slim = isRoute(value) ? clientRoute(value) : isPlain(value) ? value : undefined
  return slim === undefined ? [] : [`export const ${name} = ${JSON.stringify(slim)}`]
}

interface ServerRoute {
  readonly method: string
  readonly path: string
  readonly auth: string
  readonly body?: unknown
  readonly form?: unknown
  readonly text?: unknown
  readonly unwrapped?: boolean
  readonly file?: string
  readonly shows?: readonly string[]
  readonly limitedTo?: readonly string[]
  readonly replies: readonly { readonly kind: string; readonly status: number }[]
}

function isRoute(value: unknown): value is ServerRoute {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'replies' in value
  )
}

/** The parts of a route that the contract's `createClient` reads. Text and files are identified by status. */
function clientRoute(route: ServerRoute) {
  const { method, path, auth, body, form, text, unwrapped, file, shows = [], limitedTo = [] } = route
  const replies = route.replies.map(({ kind, status }) => ({ kind, status }))
  return {
    method,
    path,
    auth,
    ...(body ? { body: true } : {}),
    ...(form ? { form: true } : {}),
    ...(text ? { text: true, replies } : {}),
    ...(file === undefined ? {} : { file, replies }),
    ...(shows.length > 0 ? { shows } : {}),
    ...(limitedTo.length > 0 ? { limitedTo } : {}),
    ...(unwrapped ? { unwrapped } : {}),
  }
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (typeof value !== 'object') return false
  const isRecord = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isRecord && Object.values(value).every(isPlain)
}
