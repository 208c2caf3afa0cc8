import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attachment } from '../../lib/attachment.ts'
import { isFresh, type Rendered } from '../../http/send.ts'
import { localPath } from '../../providers/uploads/local-path.ts'
import { hostTest } from './files-origin.ts'
import { mediaTypeOf } from './media-types.ts'
import { readRange } from './range.ts'
import { segmentsOf } from './segments.ts'
import { keepSmallFiles, type FoundFile } from './small-files.ts'

export interface UploadFilesOptions {
  readonly folder: string
  /** Separate origin for files, instead of the site's own. */
  readonly filesOrigin?: string | undefined
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
}

/**
 * The content of a key never changes, so responses can be cached forever. If a browser displays a file
 * despite the attachment header, the sandbox gives it an origin of its own, without scripts.
 */
const headers = {
  'cache-control': 'public, max-age=31557600, immutable',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}
const ALWAYS = Object.entries(headers).flat()

/** The files of the deployment's folder. */
export interface UploadedFiles {
  /** The response to a request of a small file that was read a moment ago, or null. */
  readonly fileAt: (path: string, headers: IncomingHttpHeaders) => Rendered | null
  readonly plugin: (app: FastifyInstance) => void
}

export const UPLOADS_ROUTE = '/uploads/*'

/**
 * Serves the files of `uploads/local` to anyone who knows the key, even before the start. With a separate
 * files origin, other hosts redirect there, so that previously stored URLs still work.
 */
export function uploadFiles({ folder, filesOrigin, elapsedMs }: UploadFilesOptions): UploadedFiles {
  const isFilesHost = filesOrigin === undefined ? () => true : hostTest(filesOrigin)
  const files = keepSmallFiles(elapsedMs)

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const segments = segmentsOf(request.url)
    const path = segments && localPath(folder, segments)
    const found = path ? await files.find(path) : null
    if (!segments || !path || !found) return reply.callNotFound()
    if (filesOrigin !== undefined && !isFilesHost(request.headers.host)) {
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .redirect(filesOrigin + urlOf(segments), 302)
    }
    const file = { ...found, path, etag: etagOf(segments) }
    reply.headers({ ...headers, ...namedHeaders(segments), etag: file.etag })
    return sendFile(request, reply, file)
  }

  return {
    fileAt(url, { range, 'if-none-match': ifNoneMatch }) {
      if (filesOrigin !== undefined || range !== undefined || !url.startsWith('/uploads/')) return null
      const segments = segmentsOf(url)
      const path = segments && localPath(folder, segments)
      const content = path ? files.kept(path) : null
      if (!content || !segments) return null
      const etag = etagOf(segments)
      const common = [...ALWAYS, 'etag', etag]
      if (isFresh(ifNoneMatch, etag)) return { status: 304, headers: common, body: null }
      const own = [...Object.entries(namedHeaders(segments)).flat(), 'content-length', String(content.length)]
      return { status: 200, headers: [...common, ...own], body: content }
    },
    plugin(app) {
      // HEAD is handled explicitly, so that the file is not read.
      app.route({ method: ['GET', 'HEAD'], url: UPLOADS_ROUTE, handler })
    },
  }
}

/** The key includes a hash of the content. */
function etagOf(segments: readonly string[]): string {
  return `"${encodeURIComponent(segments.join('/'))}"`
}

/** Never shown in the browser, and saved under its own name. */
function namedHeaders(segments: readonly string[]): Record<string, string> {
  const name = segments.at(-1) ?? ''
  return {
    'content-disposition': attachment(name),
    'content-type': mediaTypeOf(extname(name)),
  }
}

function urlOf(segments: readonly string[]): string {
  return `/uploads/${segments.map(encodeURIComponent).join('/')}`
}

interface ServedFile extends FoundFile {
  readonly path: string
  readonly etag: string
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, size, content, etag }: ServedFile,
): FastifyReply {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  if (isFresh(ifNoneMatch, etag))
    return reply.removeHeader('content-type').removeHeader('content-disposition').code(304).send()
  const isWhole = range === undefined || (ifRange !== undefined && ifRange !== etag)
  const part = isWhole ? 'whole' : readRange(range, size)
  if (part === 'whole')
    return send(request, reply.header('content-length', size), { path, content, start: 0, end: size - 1 })
  if (part === 'none') {
    return reply
      .code(416)
      .header('content-range', `bytes */${size}`)
      .header('cache-control', 'no-store')
      .send()
  }
  const { start, end } = part
  reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return send(request, reply.header('content-length', end - start + 1), { path, content, start, end })
}

interface Part extends Pick<ServedFile, 'path' | 'content'> {
  readonly start: number
  readonly end: number
}

function send(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { path, content, start, end }: Part,
): FastifyReply {
  // A read stream cannot express the empty range of an empty file.
  if (method === 'HEAD' || end < start) return reply.send()
  return reply.send(content ? content.subarray(start, end + 1) : createReadStream(path, { start, end }))
}
