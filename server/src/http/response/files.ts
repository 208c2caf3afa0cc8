import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Rendered } from './send.ts'

/** Answers requests of a path outside the API. */
export interface FileRoute {
  /** `*` at the end stands for anything. */
  readonly path: string
  /** The response to GET and HEAD, or null if nothing is there. */
  readonly respond: (request: FileRequest) => Rendered | null | Promise<Rendered | null>
}

export interface FileRequest {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** With its query. All percent escapes in it can be decoded. */
  readonly url: string
}

interface Text {
  readonly status?: number
  readonly type?: string
  readonly caching?: string
  readonly text: string
}

export function textFile({
  status = 200,
  type = 'text/plain; charset=utf-8',
  caching = 'no-store',
  text,
}: Text): Rendered {
  const body = Buffer.from(text)
  const content = ['content-type', type, 'content-length', String(body.length)]
  return {
    status,
    headers: [...content, 'cache-control', caching, 'x-content-type-options', 'nosniff'],
    body,
  }
}

/** To another address, for this request only. */
export function redirect(url: string): Rendered {
  const headers = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff', 'location', url]
  return { status: 302, headers: [...headers, 'content-length', '0'], body: null }
}
