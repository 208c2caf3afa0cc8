import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { z } from 'zod'
import { dial, joinStreams, RefusedError, type Connect } from './connect.ts'

// An isolated visit has its own network namespace with only a loopback interface. Its only network access is
// the Unix socket of its egress: a process outside the namespace that resolves names, applies the address
// rules and connects. The request is one line of JSON, the response one word; after it bytes pass in both
// directions.

const MAX_CONNECTIONS = 256
/** A host name has at most 253 characters. */
const MAX_LINE_BYTES = 1024
const LINE_LIMIT_MS = 15_000

const Request = z.object({ host: z.string().min(1).max(255), port: z.int().min(1).max(65_535) })

/** Serves the connections of one visit on a Unix socket, until the process ends. */
export async function serveEgress(path: string, connect: () => Connect | null): Promise<void> {
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    void serve(client, connect())
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  // The folder is the boundary: its name is random, and other users cannot list its parent.
  await chmod(path, 0o666)
}

async function serve(client: Socket, connect: Connect | null): Promise<void> {
  try {
    const target = Request.parse(JSON.parse(await readLine(client)))
    if (!connect) throw new RefusedError()
    const upstream = await connect(target)
    if (client.destroyed) return void upstream.destroy()
    client.write('ok\n')
    joinStreams(client, upstream)
  } catch (error) {
    client.end(error instanceof RefusedError ? 'refused\n' : 'failed\n')
  }
}

/** Connects from inside the visit's network namespace. */
export function connectThrough(path: string): Connect {
  return async (target) => {
    const socket = await dial({ path })
    socket.write(`${JSON.stringify(target)}\n`)
    const response = await readLine(socket).catch(() => 'failed')
    if (response === 'ok') return socket
    socket.destroy()
    throw response === 'refused' ? new RefusedError() : new Error('no connection')
  }
}

/**
 * Reads the first line; the bytes after it stay in the socket. Rejects on a timeout or when the line is too
 * long.
 */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const finish = (end: () => void) => {
      socket.off('readable', read)
      socket.off('close', lost)
      socket.off('error', lost)
      socket.setTimeout(0)
      end()
    }
    const lost = () => finish(() => reject(new Error('the connection ended')))
    const read = () => {
      const chunk = socket.read() as Buffer | null
      if (chunk === null) return
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\n')
      if (end === -1 && bytes.length <= MAX_LINE_BYTES) return
      finish(() => {
        if (end === -1 || end > MAX_LINE_BYTES) return reject(new Error('the line is too long'))
        if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1))
        resolve(bytes.toString('utf8', 0, end))
      })
    }
    socket.setTimeout(LINE_LIMIT_MS, () => socket.destroy())
    socket.on('readable', read).on('close', lost).on('error', lost)
  })
}
