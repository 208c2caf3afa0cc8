import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

// A keep-alive connection without pipelining that does as little as possible with what it receives.

export interface ConnectionEvents {
  onResponse(status: string, head: string): void
  /** The connection ended while a response was due. */
  onBroken(): void
}

export interface Connection {
  /** Sends a request; the last one must have been answered. Connects again if the server has closed the connection. */
  send(bytes: Buffer): void
  /** The response in flight is dropped. The next request connects again. */
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Position of the status in `HTTP/1.1 200 OK`. */
const STATUS_AT = 9
const MAX_HEAD_BYTES = 64 * 1024
/** Shared receive buffer: allocating one per chunk costs a sixth of the generator's time. */
const received = Buffer.allocUnsafe(256 * 1024)

/** `localAddress`: one address has ports for about 28,000 connections to the same server. */
export function openConnection(
  url: URL,
  { onResponse, onBroken }: ConnectionEvents,
  localAddress?: string,
): Connection {
  let socket: Socket | null = null
  /** The response so far, until its head is complete. */
  let head: Buffer | null = null
  /** Bytes of the body that are still to come; -1 while the head is. */
  let left = -1
  let status = ''
  let headText = ''
  let isDue = false

  function finish(): void {
    left = -1
    isDue = false
    onResponse(status, headText)
  }

  function receive(chunk: Buffer): void {
    if (left > 0) {
      left -= chunk.length
      if (left <= 0) finish()
      return
    }
    const all = head ? Buffer.concat([head, chunk]) : chunk
    const end = all.indexOf(HEAD_END)
    if (end === -1) {
      if (all.length > MAX_HEAD_BYTES) socket?.destroy()
      head = Buffer.from(all)
      return
    }
    head = null
    const text = all.toString('latin1', 0, end)
    headText = text
    status = text.slice(STATUS_AT, STATUS_AT + 3)
    const length = lengthOf(text, status)
    if (length === null) throw new Error('A response has no Content-Length.')
    left = length - (all.length - end - HEAD_END.length)
    if (left <= 0) finish()
  }

  function open(): Socket {
    const opened = connect(url, localAddress, receive)
    head = null
    left = -1
    opened.on('error', () => {})
    opened.on('close', () => {
      if (socket !== opened) return
      socket = null
      if (!isDue) return
      isDue = false
      onBroken()
    })
    return opened
  }

  return {
    send(bytes) {
      isDue = true
      socket ??= open()
      socket.write(bytes)
    },
    close() {
      isDue = false
      socket?.destroy()
      socket = null
    },
  }
}

/** `receive` gets each piece, which is valid until it returns. */
function connect(url: URL, localAddress: string | undefined, receive: (piece: Buffer) => void): Socket {
  const isTls = url.protocol === 'https:'
  const port = Number(url.port) || (isTls ? 443 : 80)
  const options = { host: url.hostname, port, noDelay: true, ...(localAddress && { localAddress }) }
  if (isTls) return connectTls({ ...options, ...trustOf(url) }).on('data', receive)
  const callback = (bytes: number) => {
    receive(received.subarray(0, bytes))
    return true
  }
  return connectPlain({ ...options, onread: { buffer: received, callback } })
}

/** A proxy that the bench starts has a certificate of its own. */
function trustOf({ hostname }: URL) {
  return hostname === '127.0.0.1' ? { rejectUnauthorized: false } : { servername: hostname }
}

/** Null if the head does not say it. */
function lengthOf(head: string, status: string): number | null {
  if (status === '304' || status === '204') return 0
  const [, digits] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  return digits === undefined ? null : Number(digits)
}
