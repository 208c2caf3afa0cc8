import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as received, not decoded. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query, not decoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface HttpService extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly ReceivedRequest[]
}

export type RequestResponder = (
  asked: ReceivedRequest,
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>

/** Starts an HTTP server that replaces an external service. Disposing also closes its connections. */
export async function startHttpService(respond: RequestResponder): Promise<HttpService> {
  const asked: ReceivedRequest[] = []
  const server = createServer((raw, response) => {
    void buffer(raw)
      .then((body) => {
        const one = { method: raw.method ?? '', url: raw.url ?? '', headers: raw.headers, body }
        asked.push(one)
        return respond(one, response, raw)
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
