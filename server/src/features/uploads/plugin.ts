import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isFresh } from '../../http/send.ts'
import { localPath } from '../../providers/uploads/local-path.ts'
import { mediaTypeOf } from './media-types.ts'
import { readRange } from './range.ts'
import { segmentsOf } from './segments.ts'

export interface UploadFilesOptions {
  readonly folder: string
}

/** Contract, participant 18. A key's content never changes, so a copy is good for ever. */
const headers = {
  'cache-control': 'public, max-age=31557600, immutable',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}

/** Serves the files of `uploads/local` as they are: public to whoever knows the key, without a gate. */
export function uploadFiles({ folder }: UploadFilesOptions): (app: FastifyInstance) => void {
  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
    const segments = segmentsOf(request.url)
    const path = segments && localPath(folder, segments)
    const size = path ? await sizeOf(path) : null
    if (!segments || !path || size === null) return reply.callNotFound()
    // The key names the content.
    const file = { path, size, etag: `"${encodeURIComponent(segments.join('/'))}"` }
    reply.headers({
      ...headers,
      etag: file.etag,
      'content-type': mediaTypeOf(extname(segments.at(-1) ?? '')),
    })
    return sendFile(request, reply, file)
  }
  return (app) => {
    // HEAD is named, so that the file need not be read for it.
    app.route({ method: ['GET', 'HEAD'], url: '/uploads/*', handler })
  }
}

async function sizeOf(path: string): Promise<number | null> {
  // Missing, or not to be read: there is no such file for anyone.
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
  // An empty file has no last byte to read to.
  return method === 'HEAD' || end < start ? reply.send() : reply.send(createReadStream(path, { start, end }))
}
