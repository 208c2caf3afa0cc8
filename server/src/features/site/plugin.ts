import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encode, pickCoding } from '../../http/encode.ts'
import { isFresh, taggedFor } from '../../http/send.ts'
import { indexPath, readSite, unbuiltSite, type SiteFile } from './files.ts'
import { securityHeaders, type ContentSources } from './security-headers.ts'

export interface SiteOptions {
  /** The folder with the built site: index.html and what it loads. Null while it is not built. */
  readonly directory: string | null
  /** The operator's style sheet, served as `/theme.css` when it is there. */
  readonly themeFile?: string
  /** Sources that providers and the configuration add to the content security policy. */
  readonly contentSources?: readonly ContentSources[]
}

/** Paths that are not the site's, even where nothing answers. */
const foreign = /^\/(?:api|uploads)(?:\/|$)/

/** Serves the site beside the API. Every other path shows the index page, which finds its own way. */
export function siteFiles({
  directory,
  themeFile,
  contentSources = [],
}: SiteOptions): (app: FastifyInstance) => void {
  const files = directory === null ? unbuiltSite() : readSite(directory, themeFile)
  const headers = securityHeaders(contentSources)
  return (app) => {
    app.get('/*', async (request, reply) => {
      const path = pathOf(request)
      if (foreign.test(path)) return reply.callNotFound()
      const file = files.get(path) ?? files.get(indexPath)
      if (!file) return reply.callNotFound()
      return sendFile(request, reply.headers(headers), file)
    })
  }
}

/** The router has checked that it can be decoded. */
function pathOf({ url }: FastifyRequest): string {
  return decodeURIComponent(url.split('?', 1)[0] ?? '/')
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
