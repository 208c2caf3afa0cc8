import { createReadStream, statSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface FileServer extends AsyncDisposable {
  readonly url: string
}

interface FileServerOptions {
  readonly folder: string
  /** Target of API and upload requests. Without it they return 404. */
  readonly apiUrl?: string
  /** Headers of every file. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A plain file server with the two rules that the site needs (docs/operate/site.md): unknown paths return `index.html`,
 * and `/api` and `/uploads` are forwarded.
 */
export async function serveFiles({ folder, apiUrl, headers = {} }: FileServerOptions): Promise<FileServer> {
  const server = createServer((incoming, response) => {
    const path = normalize(decodeURIComponent((incoming.url ?? '/').replace(/\?.*/, '')))
    if (/^\/(?:api|uploads)\//.test(path)) pass(incoming, response, apiUrl)
    else {
      response.setHeaders(new Map(Object.entries(headers)))
      sendFile(join(folder, isFile(join(folder, path)) ? path : 'index.html'), response)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function sendFile(path: string, response: ServerResponse): void {
  response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
  createReadStream(path).pipe(response)
}

function pass(incoming: IncomingMessage, response: ServerResponse, apiUrl: string | undefined): void {
  if (apiUrl === undefined) {
    response.writeHead(404).end()
    return
  }
  const { method, headers } = incoming
  const onward = request(new URL(incoming.url ?? '/', apiUrl), { method, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers)
    received.pipe(response)
  })
  onward.on('error', () => response.destroy())
  incoming.pipe(onward)
}
