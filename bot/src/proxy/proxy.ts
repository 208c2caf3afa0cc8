import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hostName } from './addresses.ts'
import { joinStreams, RefusedError, type Connect } from './connect.ts'

/** No normal page opens more at once; Chromium itself opens six per host. */
const MAX_CONNECTIONS = 256

const HOP_BY_HOP = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade']

export interface ProxyRules {
  /** Checks the name before it is resolved. */
  isDomainAllowed(address: URL): boolean
  /** Resolves the name, applies the address rules and connects. */
  readonly connect: Connect
  /** Called for each refused request. */
  refused(address: URL): void
}

export interface Proxy {
  readonly port: number
  /** All requests are refused until this is called. */
  obey(rules: ProxyRules): void
}

/**
 * The browser's only network access: it resolves names here, and the same rules apply to every request,
 * redirect, frame, WebSocket and worker. Runs until the process ends.
 */
export async function startProxy(): Promise<Proxy> {
  let rules: ProxyRules | null = null
  const server = createServer((incoming, response) => void forward(rules, incoming, response))
  server.on('connect', (incoming, socket: Duplex, head) => void tunnel(rules, { incoming, socket, head }))
  // Browsers send WebSockets as CONNECT.
  server.on('upgrade', (_incoming, socket: Duplex) => refuseTunnel(socket, '501 Not Implemented'))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    obey: (next) => {
      rules = next
    },
  }
}

async function forward(
  rules: ProxyRules | null,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const address = new URL(incoming.url ?? '')
    // Encrypted requests come as CONNECT, so this is plain HTTP or a request that no browser sends.
    if (address.protocol !== 'http:') throw new RefusedError()
    const socket = await open(rules, address)
    const headers = { ...incoming.headers, connection: 'close' } as Record<string, string | string[]>
    for (const name of HOP_BY_HOP) if (name !== 'connection') delete headers[name]
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method,
      path: address.pathname + address.search,
      headers,
    })
    outgoing.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, received.statusMessage, received.rawHeaders)
      received.pipe(response)
      received.on('error', () => response.destroy())
    })
    outgoing.on('error', () => sendError(response, 502, 'The admin bot cannot reach this address.'))
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  } catch (error) {
    if (error instanceof RefusedError) sendError(response, 403, 'The admin bot may not visit this address.')
    else sendError(response, 502, 'The admin bot cannot reach this address.')
  }
}

function sendError(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
}

interface TunnelRequest {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

async function tunnel(rules: ProxyRules | null, { incoming, socket, head }: TunnelRequest): Promise<void> {
  socket.on('error', () => socket.destroy())
  try {
    const authority = incoming.url ?? ''
    // Unencrypted WebSockets use CONNECT too; port 80 identifies them.
    const scheme = authority.endsWith(':80') ? 'http' : 'https'
    const upstream = await open(rules, new URL(`${scheme}://${authority}/`))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    joinStreams(socket, upstream)
  } catch (error) {
    refuseTunnel(socket, error instanceof RefusedError ? '403 Forbidden' : '502 Bad Gateway')
  }
}

function refuseTunnel(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
}

/** Opens a connection that the rules allow. */
async function open(rules: ProxyRules | null, address: URL): Promise<Socket> {
  if (!rules) throw new RefusedError()
  const host = hostName(address.hostname)
  const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80)
  try {
    if (!rules.isDomainAllowed(address)) throw new RefusedError()
    return await rules.connect({ host, port })
  } catch (error) {
    if (error instanceof RefusedError) rules.refused(address)
    throw error
  }
}
