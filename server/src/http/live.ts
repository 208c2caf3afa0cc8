import { STREAM_TYPE } from '@pennant/contract/stream.ts'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** A response that the handler writes itself and that lasts until one side closes the connection. */
export interface Live {
  readonly kind: 'live'
  /** Content type and caching headers are the handler's; those of every response are already set. */
  open(response: ServerResponse): void
}

export function sendLive(reply: FastifyReply, live: Live): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  live.open(reply.raw)
}

/** Whether the response may stay open. */
export function acceptsStream(accept: string | undefined): boolean {
  return accept !== undefined && accept.toLowerCase().includes(STREAM_TYPE)
}
