import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'

// Many readers in a process of their own. As the site does, each waits for `Retry-After` when it is refused.

/** From the parent: begin. It ends this process. */
export interface Readers {
  readonly port: number
  readonly path: string
  readonly count: number
}

/** To the parent, when it asks: requests since the beginning. */
export interface Counts {
  readonly served: number
  readonly refused: number
  /** Connections that broke. */
  readonly broken: number
}

const OPENING_MS = 2 * SECOND_MS
let served = 0
let refused = 0
let broken = 0

async function read({ port, path, count }: Readers): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await delay((OPENING_MS * at) / count)
      // Ends with this process.
      for (;;) {
        await readUntilBroken(port, path).catch(() => {})
        broken += 1
        await delay(SECOND_MS)
      }
    }),
  )
}

/** One keep-alive connection. */
async function readUntilBroken(port: number, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const request = `GET ${path} HTTP/1.1\r\nhost: bench\r\naccept-encoding: br\r\n\r\n`
  socket.write(request)
  /** The response so far, until its head is complete. */
  let head = ''
  /** Bytes of its body that are still to come. */
  let left = 0
  let waitMs = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (left > 0) left -= chunk.length
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n') + 4
      if (end < 4) continue
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end)
      const isRefused = head.startsWith('HTTP/1.1 503')
      if (isRefused) refused += 1
      else served += 1
      waitMs = isRefused ? Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 0) * SECOND_MS : 0
      head = ''
    }
    if (left > 0) continue
    if (waitMs > 0) await delay(waitMs)
    socket.write(request)
  }
}

if (process.send)
  process.on('message', (message: Readers | 'count') => {
    if (message === 'count') process.send?.({ served, refused, broken } satisfies Counts)
    else void read(message)
  })
