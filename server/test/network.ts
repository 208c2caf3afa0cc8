import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** A TCP proxy that breaks as networks do: no side gets an error. */
export interface Network extends AsyncDisposable {
  readonly port: number
  /** Nothing passes until the returned function is called. What was sent meanwhile then arrives late. */
  cut(): () => void
  /** Ends the connections on the side of the server. The clients notice nothing and get no response any more. */
  forget(): void
  /** Delays each piece of data by `delayMs`, and the given share of pieces by `RETRANSMISSION_MS` more. */
  slow(delayMs: number, lossShare?: number): void
}

/** What one lost packet costs: the shortest retransmission timeout of Linux. */
const RETRANSMISSION_MS = 200

export async function startNetwork(target: NetConnectOpts, listenOn = '127.0.0.1'): Promise<Network> {
  const links = new Set<{ readonly outer: Socket; readonly inner: Socket; isForgotten: boolean }>()
  let passable = Promise.resolve()
  let delayMs = 0
  let lossShare = 0
  const server = createServer((outer) => {
    const inner = connect(target)
    const link = { outer, inner, isForgotten: false }
    links.add(link)
    outer.setNoDelay(true)
    inner.setNoDelay(true)
    const relay = async (from: Socket, to: Socket) => {
      try {
        for await (const chunk of from) {
          await passable
          const wait = delayMs + (Math.random() < lossShare ? RETRANSMISSION_MS : 0)
          if (wait > 0) await delay(wait)
          if (!link.isForgotten && !to.write(chunk as Buffer)) await once(to, 'drain')
        }
      } catch {
        // One side broke the connection: the other learns of it below.
      }
      await passable
      if (!link.isForgotten) to.destroy()
      if (from === outer) links.delete(link)
    }
    for (const socket of [outer, inner]) socket.on('error', () => {})
    void relay(outer, inner)
    void relay(inner, outer)
  })
  server.listen(0, listenOn)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      let heal = () => {}
      passable = new Promise((resolve) => {
        heal = resolve
      })
      return heal
    },
    forget() {
      for (const link of links) {
        link.isForgotten = true
        link.inner.destroy()
      }
    },
    slow(newDelayMs, newLossShare = 0) {
      delayMs = newDelayMs
      lossShare = newLossShare
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const { outer, inner } of links) {
        outer.destroy()
        inner.destroy()
      }
      await closed
    },
  }
}

/** Where a PostgreSQL URL leads: a host, or the folder of a Unix socket. */
export function addressOf(databaseUrl: string): NetConnectOpts {
  const { host, port } = new Client({ connectionString: databaseUrl })
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** The same database through the network, or through what leads there. */
export function throughNetwork(
  databaseUrl: string,
  { host = '127.0.0.1', port }: { readonly host?: string; readonly port: number },
): string {
  const { user, password, database } = new Client({ connectionString: databaseUrl })
  const [name, secret] = [user ?? '', password ?? ''].map(encodeURIComponent)
  return `postgres://${name}${secret ? `:${secret}` : ''}@${host}:${port}/${database}`
}
