import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Addresses, Target } from './addresses.ts'

const CONNECT_LIMIT_MS = 10_000

/** The rules forbid this connection, as opposed to an unreachable host. */
export class RefusedError extends Error {}

/** Opens a connection for a visit. Throws a RefusedError when the rules forbid it. */
export type Connect = (target: Target) => Promise<Socket>

/**
 * Resolves the name and connects to the first address that the rules allow. The connection uses the checked
 * address, so DNS rebinding has no effect.
 */
export function connectDirectly({ isAllowed }: Addresses): Connect {
  return async (target) => {
    const found = await lookup(target.host, { all: true })
    const address = found.map((one) => one.address).find((one) => isAllowed(target, one))
    if (address === undefined) throw new RefusedError()
    return await dial({ host: address, port: target.port })
  }
}

export function dial(to: { readonly host: string; readonly port: number } | { readonly path: string }) {
  return new Promise<Socket>((resolve, reject) => {
    const socket = connect({ ...to, timeout: CONNECT_LIMIT_MS })
    socket.once('timeout', () => socket.destroy(new Error('connection timed out')))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}

/** Pipes bytes in both directions until one side ends. */
export function joinStreams(client: Duplex, upstream: Duplex): void {
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
  upstream.pipe(client).pipe(upstream)
}
