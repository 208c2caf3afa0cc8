import { HEARTBEAT_MS } from '@pennant/contract/stream.ts'
import { setTimer as setRealTimer, type SetTimer } from '../../../lib/set-timer.ts'
import type { Connection, Connections } from './connections.ts'
import { frame, type EventIds, type StreamPosition } from './frames.ts'

/** Heartbeats are spread over this many moments. */
export const HEARTBEAT_SLOTS = 40

interface HeartbeatDeps {
  readonly connections: Pick<Connections, 'all' | 'write'>
  readonly ids: Pick<EventIds, 'of'>
  /** The position that all connections have that are not opening and not being written to. */
  readonly sentTo: () => StreamPosition
  readonly setTimer?: SetTimer | undefined
}

/**
 * Keeps connections open and their clients' positions recent: with the same event whether or not anything happened, because a client
 * could otherwise tell that something did that it may not see. Returns a function that stops it.
 */
export function startHeartbeats(deps: HeartbeatDeps): () => void {
  const { connections, ids, sentTo, setTimer = setRealTimer } = deps
  let slot = 0

  function beat(): void {
    cancel = setTimer(HEARTBEAT_MS / HEARTBEAT_SLOTS, beat)
    slot = (slot + 1) % HEARTBEAT_SLOTS
    const latest = sentTo()
    const isDue = (connection: Connection) =>
      connection.slot % HEARTBEAT_SLOTS === slot && connection.seq === latest.seq
    const bytes = Buffer.from(frame('position', {}, ids.of(latest)))
    for (const connection of connections.all()) if (isDue(connection)) connections.write(connection, bytes)
  }

  let cancel = setTimer(HEARTBEAT_MS / HEARTBEAT_SLOTS, beat)
  return () => cancel()
}
