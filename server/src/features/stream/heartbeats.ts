import { HEARTBEAT_MS } from '@pennant/contract/stream.ts'
import { setTimer as setRealTimer, type SetTimer } from '../../lib/set-timer.ts'
import type { LogPosition } from '../../world/model.ts'
import type { Connection, Connections } from './connections.ts'
import { frame, HEARTBEAT } from './frames.ts'

/** Heartbeats are spread over this many moments. */
export const HEARTBEAT_SLOTS = 40

/**
 * Keeps quiet connections open, and their clients' positions recent; `sentTo` returns null if positions would reveal what happens
 * during a freeze. Returns a function that stops it.
 */
export function startHeartbeats(
  connections: Pick<Connections, 'all' | 'write'>,
  sentTo: () => LogPosition | null,
  setTimer: SetTimer = setRealTimer,
): () => void {
  let slot = 0

  function beat(): void {
    cancel = setTimer(HEARTBEAT_MS / HEARTBEAT_SLOTS, beat)
    slot = (slot + 1) % HEARTBEAT_SLOTS
    const latest = sentTo()
    const position = latest && Buffer.from(frame('position', {}, latest))
    for (const connection of connections.all()) {
      if (connection.slot % HEARTBEAT_SLOTS !== slot) continue
      if (!position) connections.write(connection, HEARTBEAT)
      else if (connection.seq === latest.seq) writeBeat(connection, position)
    }
  }

  function writeBeat(connection: Connection, position: Buffer): void {
    const isBehind = connection.shownSeq !== connection.seq
    connection.shownSeq = connection.seq
    connections.write(connection, isBehind ? position : HEARTBEAT)
  }

  let cancel = setTimer(HEARTBEAT_MS / HEARTBEAT_SLOTS, beat)
  return () => cancel()
}
