import type { Readable } from 'node:stream'

/** A file that is sent while it is produced, without an envelope, for routes that declare `file`. */
export interface Streamed {
  readonly kind: 'streamed'
  readonly fileName: string
  /** Null if it is not known in advance. */
  readonly sizeBytes: number | null
  /** The connection is closed if it fails, because the response has begun. */
  readonly content: Readable
}
