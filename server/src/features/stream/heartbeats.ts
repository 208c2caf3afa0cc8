import { HEARTBEAT_MS } from '@pennant/contract/stream.ts'
import type { LogPosition } from '../../world/model.ts'
import type { Connection, Connections } from './connections.ts'
import { frame, HEARTBEAT } from './frames.ts'

/** Heartbeats are spread over this many moments. */
const SLOTS = 40

/** Keeps quiet connections open, and their clients' positions recent. Returns a function that stops it. */
export function startHeartbeats(connections: Connections, sentTo: () => LogPosition): () => void {
  let slot = 0

  function beat(): void {
    slot = (slot + 1) % SLOTS
    const position = Buffer.from(frame('position', {}, sentTo()))
    const { seq } = sentTo()
    for (const connection of connections.all()) {
      if (connection.slot % SLOTS === slot && connection.seq === seq) writeBeat(connection, position)
    }
  }

  function writeBeat(connection: Connection, position: Buffer): void {
    const isBehind = connection.shownSeq !== connection.seq
    connection.shownSeq = connection.seq
    connections.write(connection, isBehind ? position : HEARTBEAT)
  }

  const timer = setInterval(beat, HEARTBEAT_MS / SLOTS)
  return () => clearInterval(timer)
}
