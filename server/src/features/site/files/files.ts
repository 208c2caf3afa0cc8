import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Coding } from '../../../http/response/encode.ts'
import { preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import { StartError } from '../../../lib/errors.ts'

/** One file of the site, in memory and ready to send. */
export interface SiteFile {
  readonly prepared: Prepared
  readonly contentType: string
  readonly cacheControl: string
  readonly isText: boolean
  /** Copies compressed by the build. Missing ones are compressed on the first request. */
  readonly encoded: Readonly<Partial<Record<Coding, Buffer>>>
}

/** Files by URL path. Nothing else is served. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

export const INDEX_PATH = '/index.html'

/** Empty in the build. The operator's style sheet replaces it. */
const THEME_PATH = '/theme.css'
/** As the build writes it. */
const THEME_LINK = '<link rel="stylesheet" href="/theme.css">'

/** File extensions of compressed copies. */
const codings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** A path with a file or folder name that starts with a dot, except `.well-known`, which clients request. */
const HIDDEN = /(?:^|[\\/])\.(?!well-known[\\/])/

/** The built site has about 2 MB. A larger folder is probably the wrong one. */
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
 * Reads the whole site. Files and folders whose name starts with a dot are skipped. Compressed copies are
 * served in place of the original, not as files of their own. The operator's style sheet replaces the empty
 * one; without one, the page does not ask for it, which saves a request of each new browser.
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
  const index = files.get(INDEX_PATH)
  if (!index) throw new StartError(`The site folder ${directory} has no index.html.`)
  if (themeFile !== undefined && existsSync(themeFile)) {
    files.set(THEME_PATH, fileOf(THEME_PATH, readFileSync(themeFile)))
  }
  if (files.get(THEME_PATH)?.prepared.body.length === 0) files.set(INDEX_PATH, withoutTheme(index))
  return files
}

/** The compressed copies of the build contain the link, so they are made again on the first request. */
function withoutTheme(index: SiteFile): SiteFile {
  const page = index.prepared.body.toString()
  return page.includes(THEME_LINK) ? fileOf(INDEX_PATH, Buffer.from(page.replace(THEME_LINK, ''))) : index
}

function readAll(directory: string): Map<string, Buffer> {
  const all = new Map<string, Buffer>()
  let total = 0
  for (const path of listFiles(directory)) {
    const bytes = readFileSync(path)
    total += bytes.length
    if (total > MAX_TOTAL_BYTES) {
      throw new StartError(`The site folder ${directory} is larger than ${MAX_TOTAL_BYTES} bytes.`)
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

/** Placeholder page with build instructions, used if the site has not been built. */
export function unbuiltSite(): SiteFiles {
  return new Map([[INDEX_PATH, fileOf(INDEX_PATH, Buffer.from(UNBUILT))]])
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !HIDDEN.test(relative(directory, path)))
  } catch (cause) {
    throw new StartError(`The site folder ${directory} cannot be read.`, { cause })
  }
}

function fileOf(path: string, bytes: Buffer): SiteFile {
  const extension = extname(path).toLowerCase()
  const text = textTypes[extension]
  return {
    prepared: preparedBytes(bytes),
    contentType: text ?? binaryTypes[extension] ?? 'application/octet-stream',
    // File names in this folder contain a content hash.
    cacheControl: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    isText: text !== undefined,
    encoded: {},
  }
}
