import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Method } from '@pennant/contract/route.ts'
import { createSemaphore } from '../../lib/semaphore.ts'

export interface WireRequest {
  readonly method?: Method | 'HEAD' | 'OPTIONS'
  /** Path and query, sent verbatim. */
  readonly path: string
  readonly token?: string | undefined
  /** A list of values is sent as several headers. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly form?: FormData
  readonly bytes?: Buffer
  /** Sends each byte of the body as its own chunk. */
  readonly inBytes?: boolean
  /** Returns a 429 instead of waiting for the rate limit. */
  readonly impatient?: boolean
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The `kind` of the envelope; null for a body without one. */
  readonly kind: string | null
  readonly data: unknown
}

export interface Wire extends Disposable {
  readonly url: URL
  send(request: WireRequest): Promise<Reply>
  /** Address of this machine from the server's view; null before the first request. */
  localAddress(): string | null
  sent(): number
  isAborted(): boolean
}

export interface WireOptions {
  readonly url: URL
  readonly signal: AbortSignal
  /** Maximum total number of requests, so that a bug in a check cannot flood the server. */
  readonly maxRequests: number
}

/** Concurrent requests: enough for races, and few enough for a staging server with one core. */
const CONNECTIONS = 12
/** Requests queued for a connection: a whole crawl of one phase. */
const MAX_WAITING = 30_000
/** Far larger than any page of a staging event. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 20_000
/** A longer wait is a finding of its own; the response is returned. */
const MAX_WAIT_MS = 30_000
const MAX_WAITS = 6

/** HTTP without redirects, cookies, decompression or retries: the checks see what was sent. */
export function openWire({ url, signal, maxRequests }: WireOptions): Wire {
  const isSecure = url.protocol === 'https:'
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: CONNECTIONS })
  const base = url.pathname.replace(/\/$/, '')
  let sent = 0
  let local: string | null = null
  const inTurn = createSemaphore({ slots: CONNECTIONS, maxQueue: MAX_WAITING })
  // Each request in flight adds a listener to the signal.
  setMaxListeners(2 * CONNECTIONS, signal)

  async function send(request: WireRequest): Promise<Reply> {
    for (let waits = 0; ; waits++) {
      const reply = await inTurn(() => sendOnce(request))
      const timeLeft = reply.kind === 'badRateLimit' ? waitOf(reply.data) : 0
      const isFinal =
        reply.status !== 429 || request.impatient || waits >= MAX_WAITS || timeLeft > MAX_WAIT_MS
      if (isFinal) return reply
      await sleep(Math.max(100, timeLeft), undefined, { signal })
    }
  }

  async function sendOnce(request: WireRequest): Promise<Reply> {
    signal.throwIfAborted()
    if (++sent > maxRequests) throw new Error(`stopped after ${maxRequests} requests`)
    const { headers, body } = await encode(request)
    return await new Promise<Reply>((resolve, reject) => {
      const options = { method: request.method ?? 'GET', headers, agent, signal, timeout: REQUEST_TIMEOUT_MS }
      const target = new URL(url)
      const outgoing = (isSecure ? httpsRequest : httpRequest)(
        // The path bypasses URL normalisation: `..` and `%00` are sent verbatim.
        {
          ...options,
          host: target.hostname.replace(/^\[|\]$/g, ''),
          port: target.port,
          path: base + request.path,
        },
        (response) => {
          local = response.socket.localAddress ?? local
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > MAX_BODY_BYTES) response.destroy(new Error(`more than ${MAX_BODY_BYTES} bytes`))
            else chunks.push(chunk)
          })
          response.on('error', reject)
          response.on('end', () =>
            resolve(replyOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
          )
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${REQUEST_TIMEOUT_MS} ms`)))
      outgoing.on('error', reject)
      if (body && request.inBytes) for (const byte of body) outgoing.write(Buffer.of(byte))
      outgoing.end(body && !request.inBytes ? body : undefined)
    })
  }

  return {
    url,
    send,
    localAddress: () => local,
    sent: () => sent,
    isAborted: () => signal.aborted,
    [Symbol.dispose]: () => agent.destroy(),
  }
}

async function encode({ token, headers, json, form, bytes, inBytes }: WireRequest) {
  const all: Record<string, string> = {}
  if (token !== undefined) all['authorization'] = `Bearer ${token}`
  let body: Buffer | null = bytes ?? null
  if (json !== undefined) {
    all['content-type'] = 'application/json'
    body = Buffer.from(JSON.stringify(json))
  } else if (form) {
    const encoded = new Response(form)
    all['content-type'] = encoded.headers.get('content-type') ?? ''
    body = Buffer.from(await encoded.arrayBuffer())
  }
  if (body && !inBytes) all['content-length'] = String(body.length)
  const merged = { ...all, ...headers }
  // As a list, in which a name may occur twice, Node adds no Host.
  return { headers: 'host' in merged ? listOf(merged) : merged, body }
}

function listOf(headers: Readonly<Record<string, string | string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  )
}

function replyOf(status: number, headers: IncomingHttpHeaders, text: string): Reply {
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  const parsed = isJson ? parse(text) : null
  const { kind, data } = (typeof parsed === 'object' && parsed ? parsed : {}) as Record<string, unknown>
  return {
    status,
    headers,
    text,
    kind: typeof kind === 'string' ? kind : null,
    data: kind === undefined ? parsed : data,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function waitOf(data: unknown): number {
  const { timeLeft } = (data ?? {}) as { timeLeft?: unknown }
  return typeof timeLeft === 'number' ? timeLeft : 1000
}
