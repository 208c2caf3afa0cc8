import type { IncomingHttpHeaders } from 'node:http'
import { compress, pickCoding, type Coding } from '../../../http/response/encode.ts'
import { textFile, type FileRoute } from '../../../http/response/files.ts'
import { isFresh, taggedFor, type Rendered } from '../../../http/response/send.ts'
import { INDEX_PATH, readSite, unbuiltSite, type SiteFile, type SiteFiles } from './files.ts'
import { isCrawler, withPreview, type PreviewSource } from './previews.ts'
import type { TextFile } from './text-file.ts'
import { securityHeaders, type ContentSources } from './security-headers.ts'

export interface SiteOptions {
  /** Folder with the built site: index.html and its assets. Null if the site has not been built. */
  readonly directory: string | null
  /** The operator's style sheet, served as `/theme.css` if the file exists. */
  readonly themeFile?: string
  /** Sources that providers and the configuration add to the content security policy. */
  readonly contentSources?: readonly ContentSources[]
  /** Sources of pictures, which organisers change at run time; the same array as long as it is unchanged. */
  readonly pictureSources?: () => readonly string[]
  /** Content of further text files by URL path, such as `/robots.txt`. Called for each request. */
  readonly textFiles?: ReadonlyMap<string, TextFile>
  /** What previews of links show; without it, crawlers get the page of browsers. */
  readonly previews?: PreviewSource
}

/** Paths outside the site. They never fall back to the index page. */
const foreign = /^\/(?:api|uploads)(?:\/|$)/
/** Folders whose missing files are never pages of the site. */
const filesOnly = /^\/(?:assets|\.[^/]+)(?:\/|$)/
/** Pages whose path ends in an id, which may contain a dot. */
const withId = /^\/(?:admin\/)?(?:challenges|teams|profile)\/[^/]+$/
/** The last segment of the path ends like a file name: `/wp-login.php`, `/favicon.ico`. */
const fileName = /\.[a-z][a-z0-9]{0,9}$/i

/** Whether the client-side router may know the path. Scanners and missing files get 404 instead. */
function mayBePage(path: string): boolean {
  if (foreign.test(path) || filesOnly.test(path)) return false
  return withId.test(path) || !fileName.test(path)
}

/**
 * The site, next to the API. Paths that may be pages return the index page, whose client-side router handles them; other
 * unknown paths are not found.
 */
export function openSite({
  directory,
  themeFile,
  contentSources = [],
  pictureSources = () => NO_SOURCES,
  textFiles = new Map(),
  previews,
}: SiteOptions): FileRoute[] {
  const files = directory === null ? unbuiltSite() : readSite(directory, themeFile)
  const current = responsesFor(files, contentSources)
  const index = files.get(INDEX_PATH)?.read().toString() ?? ''
  const previewAt = (path: string, headers: IncomingHttpHeaders) =>
    previews && isCrawler(headers['user-agent'])
      ? pageFor(withPreview(index, path, previews), current(pictureSources()).security)
      : null
  const at = (path: string) => {
    const { responses } = current(pictureSources())
    return responses.get(path) ?? responses.get(path.replace(/\/?$/, INDEX_PATH))
  }
  const texts = [...textFiles].map(([path, { type, text }]) => ({
    path,
    respond: () => textFile({ type, text: text(), caching: 'public, max-age=3600' }),
  }))
  const respond: FileRoute['respond'] = ({ url, headers }) => {
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '/')
    const file = path === '/' ? undefined : at(path)
    if (file) return orMissing(() => file(headers))
    if (!mayBePage(path)) return null
    return previewAt(path, headers) ?? at(INDEX_PATH)?.(headers) ?? null
  }
  return [...texts, { path: '/*', respond }]
}

/** A later build has other assets. */
function orMissing<T>(respond: () => T): T | null {
  try {
    return respond()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const NO_SOURCES: readonly string[] = []

/** The responses with the policy of the latest sources of pictures. */
function responsesFor(files: SiteFiles, contentSources: readonly ContentSources[]) {
  const policyFor = (pictures: readonly string[]) => {
    const all = [...contentSources, { 'img-src': pictures }]
    const security = Object.entries(securityHeaders(all)).flat()
    return { pictures, security, responses: responsesOf(files, security) }
  }
  let latest = policyFor(NO_SOURCES)
  return (pictures: readonly string[]) => {
    if (latest.pictures !== pictures) latest = policyFor(pictures)
    return latest
  }
}

/** Only for one kind of program, so nothing on the way may give it to a browser. */
function pageFor(page: string, security: readonly string[]): Rendered {
  const body = Buffer.from(page)
  const content = ['content-type', 'text/html; charset=utf-8', 'content-length', String(body.length)]
  return { status: 200, headers: [...security, 'cache-control', 'no-store', ...content], body }
}

type FileResponse = (headers: IncomingHttpHeaders) => Rendered | Promise<Rendered>

function responsesOf(files: SiteFiles, security: readonly string[]): ReadonlyMap<string, FileResponse> {
  return new Map([...files].map(([path, file]) => [path, responseOf(file, security)]))
}

/** The response to requests of a file, with each content coding made once. */
function responseOf(file: SiteFile, security: readonly string[]): FileResponse {
  const { etag, sizeBytes, contentType, cacheControl, isText, read, copies } = file
  const whole = new Map<Coding | null, Rendered>()

  function headersFor(coding: Coding | null): string[] {
    const caching = ['cache-control', cacheControl, 'etag', taggedFor(etag, coding)]
    return [...security, ...caching, 'vary', 'accept-encoding']
  }

  function keep(coding: Coding | null, body: Buffer): Rendered {
    const codings = coding ? ['content-encoding', coding] : []
    const content = ['content-type', contentType, 'content-length', String(body.length), ...codings]
    const made = { status: 200, headers: [...headersFor(coding), ...content], body }
    whole.set(coding, made)
    return made
  }

  return ({ 'accept-encoding': accepted, 'if-none-match': known }) => {
    const coding = isText ? pickCoding(accepted, sizeBytes) : null
    if (isFresh(known, etag)) return { status: 304, headers: headersFor(coding), body: null }
    const made = whole.get(coding)
    if (made) return made
    if (!coding) return keep(null, read())
    const copy = copies[coding]
    return copy ? keep(coding, copy()) : compress(read(), coding).then((body) => keep(coding, body))
  }
}
