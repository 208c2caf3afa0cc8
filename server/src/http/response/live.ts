import { STREAM_TYPE } from '@pennant/contract/stream.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import type { ServerResponse } from 'node:http'

/** A response that the handler writes itself and that lasts until one side closes the connection. */
export interface Live {
  readonly kind: 'live'
  /**
   * Content type and caching headers are the handler's; those of every response are already set. Returns the refusal if it cannot be
   * opened any more, and null once it is open or the client left.
   */
  open(response: ServerResponse): ApiResponse | null
}

/** Whether the response may stay open. */
export function acceptsStream(accept: string | undefined): boolean {
  return accept !== undefined && accept.toLowerCase().includes(STREAM_TYPE)
}
