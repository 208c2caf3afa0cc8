import { hash } from 'node:crypto'
import type { Answer, AnyReply } from '@pennant/contract/route.ts'

/**
 * A 200 body rendered before it was asked for, with its ETag. The pipeline sends it as it is, answers 304 when the
 * caller has it, and compresses it once per object, not once per request.
 */
export interface Prepared {
  readonly kind: 'prepared'
  readonly body: Buffer
  /** Strong, with its quotes. */
  readonly etag: string
}

/** Renders bytes that are sent as they are. `etag` may be given when the caller can name the content cheaper. */
export function preparedBytes(body: Buffer, etag = etagOf(body)): Prepared {
  return { kind: 'prepared', body, etag }
}

/** Renders an answer with its envelope. */
export function prepare(answer: Answer): Prepared {
  return preparedBytes(Buffer.from(envelope(answer)))
}

/** The JSON text of an answer: kind, message and, when the kind has them, data. */
export function envelope({ reply, data }: Answer): string {
  const { kind, message } = reply
  return JSON.stringify(data === undefined ? { kind, message } : { kind, message, data })
}

/** The text before an answer's data, for bodies that are joined from ready pieces. `}` closes the envelope. */
export function envelopeStart({ kind, message }: AnyReply): string {
  return `{"kind":${JSON.stringify(kind)},"message":${JSON.stringify(message)},"data":`
}

/** A strong ETag by content: equal on every replica that has rendered the same bytes. */
export function etagOf(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`
}
