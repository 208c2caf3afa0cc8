import type { ServerResponse } from 'node:http'
import { SECOND_MS } from '@pennant/contract/durations.ts'

// States of a connection:
// - opening (`seq` is OPENING_SEQ): `feed` sends what the client missed, piece by piece. Left to following with the last piece, or
//   when the client takes too long to read one.
// - following: gets each batch after `seq`. A resync makes an opening connection follow as well.
// - ended: by the client, with the token, at the end of the process, or with more than MAX_UNREAD_BYTES unread. Leaves the list
//   on `close`; the client resumes with its last id.

/** An open stream. */
export interface Connection {
  readonly response: ServerResponse
  readonly client: StreamClient
  /** `seq` of the last entry of the change log that was considered for this connection, shown to it or not; or `OPENING_SEQ`. */
  seq: number
  /** Spreads heartbeats over time. */
  readonly slot: number
}

/** Of a connection that still gets what it missed: it is up to date with whatever happens meanwhile at the end. */
export const OPENING_SEQ = Number.POSITIVE_INFINITY

export interface StreamClient {
  /** The key of the client's address. */
  readonly address: string
  readonly team: {
    readonly id: string
    readonly isExternal: boolean
    readonly issuedAt: number
    /** When the stream was opened. It never gains any. */
    readonly perms: number
    /** Whose session it is; absent for tokens of the team. */
    readonly person?: { readonly id: string; readonly sessionId: string }
  } | null
}

export interface StreamLimits {
  readonly maxTotal: number
  readonly maxPerAddress: number
  readonly maxPerTeam: number
}

/** Why another stream is refused. */
export type StreamRefusal = 'total' | 'address' | 'team'

/** The open streams, with counts for the limits. */
export interface Connections {
  refusal(client: StreamClient): StreamRefusal | null
  add(connection: Connection): void
  /**
   * Writes to a connection that is not opening any more. One that does not read what it was sent is closed, and resumes
   * later.
   */
  write(connection: Connection, bytes: Buffer | string): void
  ofTeam(teamId: string): ReadonlySet<Connection>
  teamIds(): IterableIterator<string>
  all(): ReadonlySet<Connection>
}

/** Unread bytes per connection: a minute of a busy event. The kernel's buffers come on top. */
export const MAX_UNREAD_BYTES = 256 * 1024

/** A stream of the same address or team must end first, which no one can predict. */
export const RETRY_AFTER_MS = 30 * SECOND_MS

const NONE: ReadonlySet<Connection> = new Set()

export function createConnections(limits: StreamLimits): Connections {
  const all = new Set<Connection>()
  const byTeam = new Map<string, Set<Connection>>()
  const counts = new Map<string, number>()

  function remove(connection: Connection): void {
    if (!all.delete(connection)) return
    const { address, team } = connection.client
    const left = (counts.get(address) ?? 1) - 1
    if (left === 0) counts.delete(address)
    else counts.set(address, left)
    const own = team && byTeam.get(team.id)
    if (!team || !own) return
    own.delete(connection)
    if (own.size === 0) byTeam.delete(team.id)
  }

  return {
    refusal({ address, team }) {
      if (all.size >= limits.maxTotal) return 'total'
      if ((counts.get(address) ?? 0) >= limits.maxPerAddress) return 'address'
      return team && (byTeam.get(team.id)?.size ?? 0) >= limits.maxPerTeam ? 'team' : null
    },

    add(connection) {
      const { address, team } = connection.client
      all.add(connection)
      counts.set(address, (counts.get(address) ?? 0) + 1)
      if (team) {
        const own = byTeam.get(team.id)
        if (own) own.add(connection)
        else byTeam.set(team.id, new Set([connection]))
      }
      connection.response.once('close', () => remove(connection))
    },

    write(connection, bytes) {
      const { socket } = connection.response
      if (!socket || socket.destroyed || connection.seq === OPENING_SEQ) return
      // The body is not chunked, so writing to the socket saves copies and system calls of the response.
      socket.write(bytes)
      if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy()
    },

    ofTeam: (teamId) => byTeam.get(teamId) ?? NONE,
    teamIds: () => byTeam.keys(),
    all: () => all,
  }
}

/** Headers of a stream. Its body is not chunked and ends with the connection. */
export function writeStreamHead(response: ServerResponse, type: string): void {
  response
    .setHeader('content-type', type)
    // `no-transform` keeps proxies from compressing and therefore buffering.
    .setHeader('cache-control', 'no-store, no-transform')
    // nginx buffers responses by default.
    .setHeader('x-accel-buffering', 'no')
    .setHeader('x-content-type-options', 'nosniff')
    .setHeader('connection', 'close')
  response.removeHeader('transfer-encoding')
  response.socket?.setNoDelay(true)
  response.flushHeaders()
}

/** Ends the stream; the client sees a complete response. */
export function endConnection({ response }: Connection): void {
  response.end()
  response.socket?.end()
}
