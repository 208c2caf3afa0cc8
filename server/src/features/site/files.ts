import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Coding } from '../../http/encode.ts'
import { preparedBytes, type Prepared } from '../../http/prepared.ts'
import { StartError } from '../../lib/errors.ts'

/** One file of the site, in memory and ready to be sent. */
export interface SiteFile {
  readonly prepared: Prepared
  readonly contentType: string
  readonly cacheControl: string
  readonly isText: boolean
  /** As the build compressed it; what it did not is compressed when it is first asked for. */
  readonly encoded: Readonly<Partial<Record<Coding, Buffer>>>
}

/** Files by the path they are served at. Nothing else can be reached. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

export const indexPath = '/index.html'

/** Empty as built: it is there to be replaced by the operator's. */
const themePath = '/theme.css'

/** How the names of compressed copies end. */
const codings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** A name that begins with a dot, of a file or of a folder around it; but what others look for is found. */
const HIDDEN = /(?:^|[\\/])\.(?!well-known[\\/])/

/** The built site has about 2 MB; beyond this a wrong folder was named. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024

const textTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}
const binaryTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/vnd.microsoft.icon',
  '.woff2': 'font/woff2',
}

/**
 * Reads the whole site. Files and folders whose name begins with a dot are left out; compressed copies are sent in place of what
 * they are of. The operator's style sheet takes the place of the empty one.
 */
export function readSite(directory: string, themeFile?: string): SiteFiles {
  const all = readAll(directory)
  const files = new Map<string, SiteFile>()
  for (const [path, bytes] of all) {
    if (isCopy(path, all)) continue
    const encoded: Partial<Record<Coding, Buffer>> = {}
    for (const [coding, end] of Object.entries(codings) as [Coding, string][]) {
      const copy = all.get(path + end)
      if (copy) encoded[coding] = copy
    }
    files.set(path, { ...fileOf(path, bytes), encoded })
  }
  if (!files.has(indexPath)) throw new StartError(`The folder of the site, ${directory}, has no index.html.`)
  if (themeFile !== undefined && existsSync(themeFile)) {
    files.set(themePath, fileOf(themePath, readFileSync(themeFile)))
  }
  return files
}

function readAll(directory: string): Map<string, Buffer> {
  const all = new Map<string, Buffer>()
  let total = 0
  for (const path of listFiles(directory)) {
    const bytes = readFileSync(path)
    total += bytes.length
    if (total > MAX_TOTAL_BYTES) {
      throw new StartError(`The folder of the site, ${directory}, holds more than ${MAX_TOTAL_BYTES} bytes.`)
    }
    all.set(`/${relative(directory, path).split(sep).join('/')}`, bytes)
  }
  return all
}

function isCopy(path: string, all: ReadonlyMap<string, Buffer>): boolean {
  return Object.values(codings).some((end) => path.endsWith(end) && all.has(path.slice(0, -end.length)))
}

const UNBUILT = `<!doctype html><html lang="en"><title>Pennant</title>
<p>The API runs. Its site is not built: <code>npm run build</code> makes it, <code>npm run dev</code> serves it while
you work on it.</p>`

/** In place of a site that is not there: says how to get one. */
export function unbuiltSite(): SiteFiles {
  return new Map([[indexPath, fileOf(indexPath, Buffer.from(UNBUILT))]])
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !HIDDEN.test(relative(directory, path)))
  } catch (cause) {
    throw new StartError(`The folder of the site, ${directory}, cannot be read.`, { cause })
  }
}

function fileOf(path: string, bytes: Buffer): SiteFile {
  const extension = extname(path).toLowerCase()
  const text = textTypes[extension]
  return {
    prepared: preparedBytes(bytes),
    contentType: text ?? binaryTypes[extension] ?? 'application/octet-stream',
    // The build puts a hash of the content into the names of this folder.
    cacheControl: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    isText: text !== undefined,
    encoded: {},
  }
}
