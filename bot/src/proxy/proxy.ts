import { lookup } from 'node:dns/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hostName, type Target } from './addresses.ts'

/** A page that opens more at once is no page. Chromium itself opens six to a host. */
const MAX_CONNECTIONS = 256
const CONNECT_LIMIT_MS = 10_000

const HOP_BY_HOP = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade']

export interface ProxyRules {
  /** Judges by name, before it is looked up. */
  isDomainAllowed(address: URL): boolean
  /** Judges what it was found to mean; the connection goes to this address, so a second answer changes nothing. */
  isAddressAllowed(target: Target, address: string): boolean
  /** Told of each request that was refused. */
  refused(address: URL): void
}

export interface Proxy {
  readonly port: number
  /** Nobody is let through before. */
  obey(rules: ProxyRules): void
}

/**
 * The browser's only way out: it looks names up here, and every request, redirect, frame, socket and worker passes the
 * same rules. Lives as long as the process.
 */
export async function startProxy(): Promise<Proxy> {
  let rules: ProxyRules | null = null
  const server = createServer((incoming, response) => void forward(rules, incoming, response))
  server.on('connect', (incoming, socket: Duplex, head) => void tunnel(rules, { incoming, socket, head }))
  // Sockets of pages come as CONNECT.
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

class Refused extends Error {}

async function forward(
  rules: ProxyRules | null,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const address = new URL(incoming.url ?? '')
    // Encrypted requests come as CONNECT, so this is plain HTTP or something that no browser sends.
    if (address.protocol !== 'http:') throw new Refused()
    const socket = await open(rules, address)
    const headers = { ...incoming.headers, connection: 'close' } as Record<string, string | string[]>
    for (const name of HOP_BY_HOP) if (name !== 'connection') delete headers[name]
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method,
      path: address.pathname + address.search,
      headers,
    })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => answerError(response, 502, 'The admin bot cannot reach this address.'))
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  } catch (error) {
    if (error instanceof Refused) answerError(response, 403, 'The admin bot may not visit this address.')
    else answerError(response, 502, 'The admin bot cannot reach this address.')
  }
}

function answerError(response: ServerResponse, status: number, text: string): void {
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
    // Sockets without encryption come this way too; port 80 tells.
    const scheme = authority.endsWith(':80') ? 'http' : 'https'
    const upstream = await open(rules, new URL(`${scheme}://${authority}/`))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
    upstream.on('error', () => socket.destroy())
    upstream.on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  } catch (error) {
    refuseTunnel(socket, error instanceof Refused ? '403 Forbidden' : '502 Bad Gateway')
  }
}

function refuseTunnel(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
}

/** A connection to the first address of the name that may be visited. */
async function open(rules: ProxyRules | null, address: URL): Promise<Socket> {
  if (!rules) throw new Refused()
  const host = hostName(address.hostname)
  const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80)
  const allowed = rules.isDomainAllowed(address) ? await findAddress(rules, { host, port }) : undefined
  if (allowed === undefined) {
    rules.refused(address)
    throw new Refused()
  }
  return await dial(allowed, port)
}

async function findAddress(rules: ProxyRules, target: Target): Promise<string | undefined> {
  const found = await lookup(target.host, { all: true })
  return found.map(({ address }) => address).find((address) => rules.isAddressAllowed(target, address))
}

function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT_MS })
    socket.once('timeout', () => socket.destroy(new Error('no connection in time')))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}
