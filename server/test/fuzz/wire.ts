import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** A request as sent over the wire: nothing is encoded, normalised or omitted. */
export interface WireRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface WireResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Wire extends Disposable {
  ask(request: WireRequest): Promise<WireResponse>
}

/** The server may reject a larger body before reading all of it; the response may then be lost. */
const MAY_BREAK_BYTES = 64 * 1024

/** Keep-alive connections, as a browser or an attacker would use them. */
export function openWire(url: string, connections: number): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  async function ask(request: WireRequest, attempts = 3): Promise<WireResponse> {
    try {
      return await send(new URL(url), request, agent)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      const isBroken = code === 'ECONNRESET' || code === 'EPIPE'
      // The server may close an idle keep-alive connection at the moment it is reused.
      if (isBroken && attempts > 1) return ask(request, attempts - 1)
      if (isBroken && (request.body?.length ?? 0) > MAY_BREAK_BYTES)
        return { status: 413, headers: {}, text: '' }
      throw new Error(`${request.method} ${request.path.slice(0, 200)} got no response`, { cause })
    }
  }

  return { ask: (request) => ask(request), [Symbol.dispose]: () => agent.destroy() }
}

function send({ hostname, port }: URL, request: WireRequest, agent: Agent): Promise<WireResponse> {
  const { method, path, body } = request
  const headers = { ...request.headers }
  if (body !== null && headers['transfer-encoding'] === undefined) {
    headers['content-length'] = String(body.length)
  }
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode = 0, headers: received } = response
        resolve({
          status: statusCode,
          headers: received,
          text: decoded(bytes, received['content-encoding']).toString(),
        })
      }, reject)
    })
      .on('error', reject)
      .end(body ?? undefined)
  })
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}
