import { spawn, type SendHandle } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// Node accepts one connection of each listening handle in a turn of its event loop. While turns are long because many
// requests are handled, new clients would wait for as many turns as clients came before them. So a process listens with several
// handles of one socket: beside 200 busy connections, the p99 of 300 new ones per second is 0.3 instead of 1.9 s (medians of eight
// runs on two shared cores). Without them, the difference is smaller than that between runs. Node copies a handle only by sending
// it to another process, which sends it back.

/** Handles of one socket, the first included. Each that finds nothing to accept costs a system call. */
const HANDLES = 16
/** The helper needs some hundredths of a second. */
const HELPER_MS = 10_000

const HELPER = `process.on('message', (_message, handle) => process.send(0, handle))`

/** The additional listeners of a server. */
const additional = new WeakMap<Server, Server[]>()

/**
 * Makes a listening server accept more connections in each turn. Their connections are the server's own, except that it does
 * not count them. Resolves with the number of handles. Rejects if no process can be started.
 */
export async function acceptMore(server: Server, backlog: number): Promise<number> {
  const helper = spawn(process.execPath, ['-e', HELPER], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: HELPER_MS,
  })
  const listeners: Server[] = []
  additional.set(server, listeners)
  // `listen` documents this property of a server. Sending the server itself would make the helper accept connections.
  const { _handle: handle } = server as unknown as { readonly _handle: SendHandle }
  const copyAgain = () => {
    if (!server.listening || listeners.length + 1 >= HANDLES) helper.disconnect()
    else helper.send(0, handle, () => {})
  }
  helper.on('message', (_message, copy) => {
    if (server.listening) listeners.push(listenWith(copy, backlog, server))
    copyAgain()
  })
  const ended = once(helper, 'disconnect')
  helper.on('spawn', copyAgain)
  await ended
  return listeners.length + 1
}

function listenWith(handle: unknown, backlog: number, server: Server): Server {
  const listener = createServer({ allowHalfOpen: true, noDelay: true })
  listener.on('connection', (socket) => server.emit('connection', socket))
  return listener.listen(handle, backlog)
}

/** All listeners of a server. Each counts and closes its own connections. */
export function listenersOf(server: Server): readonly Server[] {
  return [server, ...(additional.get(server) ?? [])]
}
