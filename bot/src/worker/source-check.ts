import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { CompileResult } from './compiler.ts'
import { errorText } from './error-text.ts'
import type { Log } from './log.ts'

/** The maximum length of a challenge's code in the server, escaped for JSON. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Organisers save one challenge at a time, and a compiler uses a whole core. */
const MAX_CHECKS = 4

const Check = z.object({ source: z.string() })

export interface SourceCheckOptions {
  readonly host: string
  readonly port: number
  readonly secretKey: string
  readonly log: Log
  readonly check: (source: string) => Promise<CompileResult>
}

export interface SourceCheck {
  readonly port: number
  close(): Promise<void>
}

/** Serves `/v1/test` only: returns the options derived from an author's code, or its errors. */
export async function serveSourceCheck(options: SourceCheckOptions): Promise<SourceCheck> {
  const respond = responder(options)
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      options.log.error({ reason: errorText(error) }, 'could not check source code')
      if (!response.headersSent) send(response, 500, { detail: 'The check failed.' })
    })
  })
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function responder({ secretKey, check }: SourceCheckOptions) {
  const bearer = sha256(`Bearer ${secretKey}`)
  let checks = 0
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!timingSafeEqual(sha256(request.headers.authorization ?? ''), bearer))
      return send(response, 401, { detail: 'The bearer is not the secret key.' })
    if (request.method !== 'POST' || request.url !== '/v1/test')
      return send(response, 404, { detail: 'There is only POST /v1/test.' })
    const body = await readBody(request)
    if (body === null) return send(response, 413, { detail: 'The source is too long.' })
    const source = parseSource(body)
    if (source === null) return send(response, 400, { detail: 'The body is not { "source": text }.' })
    if (checks >= MAX_CHECKS) return send(response, 503, { detail: 'Too many checks at once. Try again.' })
    checks += 1
    const result = await check(source).finally(() => (checks -= 1))
    if ('detail' in result) return send(response, 200, { detail: result.detail })
    const { inputs, timeoutMilliseconds, requireInstancerInstancesRunning } = result.plan
    send(response, 200, { inputs, timeoutMilliseconds, requireInstancerInstancesRunning })
  }
}

function parseSource(body: string): string | null {
  try {
    return Check.parse(JSON.parse(body)).source
  } catch {
    return null
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
