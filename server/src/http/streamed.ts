import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from '../lib/attachment.ts'

/** A file that is sent while it is produced, without an envelope, for routes that declare `file`. */
export interface Streamed {
  readonly kind: 'streamed'
  readonly fileName: string
  /** Null if it is not known in advance. */
  readonly sizeBytes: number | null
  /** The connection is closed if it fails, because the response has begun. */
  readonly content: Readable
}

/** Sends the file as a download that is never cached. */
export async function sendStream(
  reply: FastifyReply,
  { type, file }: { readonly type: string; readonly file: Streamed },
): Promise<void> {
  if (file.sizeBytes !== null) reply.header('content-length', file.sizeBytes)
  await reply
    .code(200)
    .header('content-type', type)
    .header('content-disposition', attachment(file.fileName))
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding')
    .send(file.content)
}
