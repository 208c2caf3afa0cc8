import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isFresh } from '../../http/send.ts'
import { localPath } from '../../providers/uploads/local-path.ts'
import { hostTest } from './files-origin.ts'
import { mediaTypeOf } from './media-types.ts'
import { readRange } from './range.ts'
import { segmentsOf } from './segments.ts'

export interface UploadFilesOptions {
  readonly folder: string
  /** Separate origin for files, instead of the site's own. */
  readonly filesOrigin?: string | undefined
}

/**
 * The content of a key never changes, so responses can be cached forever. If a browser displays a file
 * despite the attachment header, the sandbox gives it an origin of its own, without scripts.
 */
const headers = {
  'cache-control': 'public, max-age=31557600, immutable',
  'content-disposition': 'attachment',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}

/**
 * Serves the files of `uploads/local` to anyone who knows the key, even before the start. With a separate
 * files origin, other hosts redirect there, so that previously stored URLs still work.
 */
export function uploadFiles({ folder, filesOrigin }: UploadFilesOptions): (app: FastifyInstance) => void {
  const isFilesHost = filesOrigin === undefined ? () => true : hostTest(filesOrigin)

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const segments = segmentsOf(request.url)
    const path = segments && localPath(folder, segments)
    const size = path ? await sizeOf(path) : null
    if (!segments || !path || size === null) return reply.callNotFound()
    if (filesOrigin !== undefined && !isFilesHost(request.headers.host)) {
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .redirect(filesOrigin + urlOf(segments), 302)
    }
    // The key includes a hash of the content.
    const file = { path, size, etag: `"${encodeURIComponent(segments.join('/'))}"` }
    reply.headers({
      ...headers,
      etag: file.etag,
      'content-type': mediaTypeOf(extname(segments.at(-1) ?? '')),
    })
    return sendFile(request, reply, file)
  }
  return (app) => {
    // HEAD is handled explicitly, so that the file is not read.
    app.route({ method: ['GET', 'HEAD'], url: '/uploads/*', handler })
  }
}

function urlOf(segments: readonly string[]): string {
  return `/uploads/${segments.map(encodeURIComponent).join('/')}`
}

async function sizeOf(path: string): Promise<number | null> {
  // A missing or unreadable file is reported as not found.
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? found.size : null
}

interface ServedFile {
  readonly path: string
  readonly size: number
  readonly etag: string
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, size, etag }: ServedFile,
): FastifyReply {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  if (isFresh(ifNoneMatch, etag)) return reply.removeHeader('content-type').code(304).send()
  const isWhole = range === undefined || (ifRange !== undefined && ifRange !== etag)
  const part = isWhole ? 'whole' : readRange(range, size)
  if (part === 'whole')
    return send(request, reply.header('content-length', size), { path, start: 0, end: size - 1 })
  if (part === 'none') {
    return reply
      .code(416)
      .header('content-range', `bytes */${size}`)
      .header('cache-control', 'no-store')
      .send()
  }
  const { start, end } = part
  reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return send(request, reply.header('content-length', end - start + 1), { path, start, end })
}

interface Part {
  readonly path: string
  readonly start: number
  readonly end: number
}

function send({ method }: FastifyRequest, reply: FastifyReply, { path, start, end }: Part): FastifyReply {
  // A read stream cannot express the empty range of an empty file.
  return method === 'HEAD' || end < start ? reply.send() : reply.send(createReadStream(path, { start, end }))
}
