import { hash } from 'node:crypto'
import type { ApiResponse, AnyReply } from '@pennant/contract/route.ts'

/**
 * A rendered 200 body with its ETag. The pipeline sends it unchanged, responds 304 to a client that has it, and
 * compresses it once per object rather than once per request.
 */
export interface Prepared {
  readonly kind: 'prepared'
  readonly body: Buffer
  /** A strong ETag, including the quotes. */
  readonly etag: string
}

/** Wraps bytes that are sent unchanged. Callers may pass a cheaper `etag` than a hash of the content. */
export function preparedBytes(body: Buffer, etag = etagOf(body)): Prepared {
  return { kind: 'prepared', body, etag }
}

/** Renders a response with its envelope. */
export function prepare(response: ApiResponse): Prepared {
  return preparedBytes(Buffer.from(envelope(response)))
}

/** The JSON text of a response: kind, message and, if the kind has any, data. */
export function envelope({ reply, data }: ApiResponse): string {
  const { kind, message } = reply
  return JSON.stringify(data === undefined ? { kind, message } : { kind, message, data })
}

/** The envelope up to its data, for bodies that are joined from rendered parts. `}` closes it. */
export function envelopeStart({ kind, message }: AnyReply): string {
  return `{"kind":${JSON.stringify(kind)},"message":${JSON.stringify(message)},"data":`
}

/** A strong ETag from a hash of the content, so it is the same in every process. */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`
}
