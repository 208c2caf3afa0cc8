import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encode, pickCoding } from '../../http/encode.ts'
import { isFresh, taggedFor } from '../../http/send.ts'
import { INDEX_PATH, readSite, unbuiltSite, type SiteFile, type SiteFiles } from './files.ts'
import { securityHeaders, type ContentSources } from './security-headers.ts'

export interface SiteOptions {
  /** Folder with the built site: index.html and its assets. Null if the site has not been built. */
  readonly directory: string | null
  /** The operator's style sheet, served as `/theme.css` if the file exists. */
  readonly themeFile?: string
  /** Sources that providers and the configuration add to the content security policy. */
  readonly contentSources?: readonly ContentSources[]
  /** Content of further text files by URL path, such as `/robots.txt`. Called for each request. */
  readonly textFiles?: ReadonlyMap<string, () => string>
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
 * Serves the site next to the API. Paths that may be pages return the index page, whose client-side router
 * handles them; other unknown paths are not found.
 */
export function siteFiles({
  directory,
  themeFile,
  contentSources = [],
  textFiles = new Map(),
}: SiteOptions): (app: FastifyInstance) => void {
  const files = directory === null ? unbuiltSite() : readSite(directory, themeFile)
  const headers = securityHeaders(contentSources)
  return (app) => {
    for (const [path, text] of textFiles) app.get(path, (_request, reply) => sendText(reply, text()))
    app.get('/*', async (request, reply) => {
      const path = pathOf(request)
      const file = fileAt(files, path) ?? (mayBePage(path) ? files.get(INDEX_PATH) : undefined)
      if (!file) return reply.callNotFound()
      return sendFile(request, reply.headers(headers), file)
    })
  }
}

/** The file of the path, or the page of the folder with this name. */
function fileAt(files: SiteFiles, path: string): SiteFile | undefined {
  return files.get(path) ?? files.get(path.replace(/\/?$/, INDEX_PATH))
}

/** Cannot throw: the router has already checked the encoding. */
function pathOf({ url }: FastifyRequest): string {
  return decodeURIComponent(url.split('?', 1)[0] ?? '/')
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/plain; charset=utf-8')
    .header('cache-control', 'public, max-age=3600')
    .header('x-content-type-options', 'nosniff')
    .send(text)
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): Promise<FastifyReply> {
  const { prepared, contentType, cacheControl, isText, encoded } = file
  const coding = isText ? pickCoding(request.headers['accept-encoding'], prepared.body.length) : null
  reply.headers({
    'cache-control': cacheControl,
    etag: taggedFor(prepared.etag, coding),
    vary: 'accept-encoding',
  })
  if (isFresh(request.headers['if-none-match'], prepared.etag)) return reply.code(304).send()
  if (coding) reply.header('content-encoding', coding)
  return reply
    .header('content-type', contentType)
    .send(coding ? (encoded[coding] ?? (await encode(prepared, coding))) : prepared.body)
}
