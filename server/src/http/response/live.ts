import { STREAM_TYPE } from '@pennant/contract/stream.ts'
import type { ServerResponse } from 'node:http'

/** A response that the handler writes itself and that lasts until one side closes the connection. */
export interface Live {
  readonly kind: 'live'
  /** Content type and caching headers are the handler's; those of every response are already set. */
  open(response: ServerResponse): void
}

/** Whether the response may stay open. */
export function acceptsStream(accept: string | undefined): boolean {
  return accept !== undefined && accept.toLowerCase().includes(STREAM_TYPE)
}
