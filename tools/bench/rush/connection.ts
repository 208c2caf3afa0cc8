import { connect, type Socket } from 'node:net'

// A keep-alive connection without pipelining that does as little as possible with what it receives.

const HEAD_END = Buffer.from('\r\n\r\n')
/** Shared receive buffer: allocating one per chunk costs a sixth of the generator's time. */
const received = Buffer.allocUnsafe(256 * 1024)

export interface Connection {
  /** Resolves with the status, or null if the connection ended. The last request must have been answered. */
  send(bytes: Buffer): Promise<string | null>
  close(): void
}

/** `localAddress`: one address has ports for about 28,000 connections to the same server. */
export function openConnection(url: URL, localAddress: string): Connection {
  /** The response so far, until its head is complete. */
  let head = Buffer.alloc(0)
  /** Bytes of the body that are still to come; null while the head is. */
  let left: number | null = null
  let status = ''
  let answer: ((status: string | null) => void) | null = null

  function receive(chunk: Buffer): void {
    if (left === null) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      const text = head.toString('latin1', 0, end)
      status = text.slice('HTTP/1.1 '.length).slice(0, 3)
      left = lengthOf(text, status) - (head.length - end - HEAD_END.length)
    } else left -= chunk.length
    if (left > 0) return
    head = Buffer.alloc(0)
    left = null
    answer?.(status)
  }

  const socket = open(url, localAddress, receive)
  socket.on('error', () => {})
  socket.on('close', () => answer?.(null))
  return {
    send: (bytes) =>
      new Promise((resolve) => {
        answer = resolve
        if (socket.destroyed) resolve(null)
        else socket.write(bytes)
      }),
    close: () => void socket.destroy(),
  }
}

function open(url: URL, localAddress: string, receive: (piece: Buffer) => void): Socket {
  const callback = (bytes: number) => {
    receive(received.subarray(0, bytes))
    return true
  }
  return connect({
    host: url.hostname,
    port: Number(url.port),
    noDelay: true,
    localAddress,
    onread: { buffer: received, callback },
  })
}

function lengthOf(head: string, status: string): number {
  const [, digits] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (digits === undefined && status !== '304' && status !== '204')
    throw new Error('A response has no Content-Length.')
  return Number(digits ?? 0)
}
