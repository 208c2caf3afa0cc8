import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Coding } from '../../../http/response/encode.ts'
import { etagOf } from '../../../http/response/prepared.ts'
import { StartError } from '../../../lib/errors.ts'

/** One file of the site. */
export interface SiteFile {
  /** A strong ETag, including the quotes. */
  readonly etag: string
  readonly sizeBytes: number
  readonly contentType: string
  readonly cacheControl: string
  readonly isText: boolean
  /** Throws if the file was deleted after the start. */
  readonly read: () => Buffer
  /** Copies compressed by the build. Missing ones are compressed on the first request. */
  readonly copies: Readonly<Partial<Record<Coding, () => Buffer>>>
}

/** Files by URL path. Nothing else is served. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

export const INDEX_PATH = '/index.html'

/** File names in this folder contain a hash of the content. */
const ASSETS = '/assets/'

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
 * Finds the files of the site. Assets are read when a browser requests them: most are never requested, and they take 7 MB. The others are
 * read at once, so that the pages are those of one build. Files and folders whose name starts with a dot are skipped. Compressed copies are
 * served in place of the original, not as files of their own. The operator's style sheet replaces the empty
 * one; without one, the page does not ask for it, which saves a request of each new browser.
 */
export function readSite(directory: string, themeFile?: string): SiteFiles {
  const all = findAll(directory)
  const files = new Map<string, SiteFile>()
  for (const [path, sizeBytes] of all) {
    if (isCopy(path, all)) continue
    const isAsset = path.startsWith(ASSETS)
    const open = (end = '') => {
      const read = () => readFileSync(join(directory, path + end))
      if (isAsset) return read
      const bytes = read()
      return () => bytes
    }
    const read = open()
    const copies: Partial<Record<Coding, () => Buffer>> = {}
    for (const [coding, end] of Object.entries(codings) as [Coding, string][])
      if (all.has(path + end)) copies[coding] = open(end)
    files.set(path, { ...kindOf(path), etag: etagOf(isAsset ? path : read()), sizeBytes, read, copies })
  }
  const index = files.get(INDEX_PATH)
  if (!index) throw new StartError(`The site folder ${directory} has no index.html.`)
  if (themeFile !== undefined && existsSync(themeFile)) {
    files.set(THEME_PATH, fileOf(THEME_PATH, readFileSync(themeFile)))
  }
  if (files.get(THEME_PATH)?.sizeBytes === 0) files.set(INDEX_PATH, withoutTheme(index))
  return files
}

/** The compressed copies of the build contain the link, so they are made again on the first request. */
function withoutTheme(index: SiteFile): SiteFile {
  const page = index.read().toString()
  return page.includes(THEME_LINK) ? fileOf(INDEX_PATH, Buffer.from(page.replace(THEME_LINK, ''))) : index
}

/** Sizes in bytes, by URL path. */
function findAll(directory: string): Map<string, number> {
  const all = new Map<string, number>()
  let total = 0
  for (const path of listFiles(directory)) {
    const { size } = statSync(path)
    total += size
    if (total > MAX_TOTAL_BYTES) {
      throw new StartError(`The site folder ${directory} is larger than ${MAX_TOTAL_BYTES} bytes.`)
    }
    all.set(`/${relative(directory, path).split(sep).join('/')}`, size)
  }
  return all
}

function isCopy(path: string, all: ReadonlyMap<string, number>): boolean {
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
  return { ...kindOf(path), etag: etagOf(bytes), sizeBytes: bytes.length, read: () => bytes, copies: {} }
}

function kindOf(path: string): Pick<SiteFile, 'contentType' | 'cacheControl' | 'isText'> {
  const extension = extname(path).toLowerCase()
  const text = textTypes[extension]
  return {
    contentType: text ?? binaryTypes[extension] ?? 'application/octet-stream',
    cacheControl: path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    isText: text !== undefined,
  }
}
