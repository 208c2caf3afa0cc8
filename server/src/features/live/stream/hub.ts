import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { STREAM_TYPE } from '@pennant/contract/stream.ts'
import type { VisibilitySettings } from '@pennant/contract/visibility.ts'
import type { SetTimer } from '../../../lib/set-timer.ts'
import type { Follower } from '../../../world/sync/follower.ts'
import type { Kind } from '../../contest/kinds/kind.ts'
import type { Snapshot } from '../../contest/kinds/stream-kind.ts'
import { closedParts } from '../../contest/visibility/rules.ts'
import { batchWriter, receiverOf } from './batch.ts'
import { createBoardChanges } from './board-changes.ts'
import {
  createConnections,
  endConnection,
  OPENING_SEQ,
  writeStreamHead,
  type Connection,
  type StreamClient,
  type StreamLimits,
  type StreamRefusal,
} from './connections.ts'
import { feed } from './feed.ts'
import { frame, type EventIds, type StreamPosition } from './frames.ts'
import { startHeartbeats } from './heartbeats.ts'
import { phaseAt, streamKindsOf, type StreamKinds } from './kinds.ts'
import { createLogWindow, type LogWindow } from './log-window.ts'
import { openingFor, type Opening } from './opening.ts'
import { createOwnStandings } from './own-standings.ts'
import { createPace, type Work } from './pace.ts'
import { createStateFrames } from './state-frames.ts'

export interface StreamHubOptions {
  readonly follower: Pick<Follower, 'world' | 'shown' | 'position' | 'catchUp' | 'onLog' | 'onCaughtUp'>
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
  /** Processor time of this process in milliseconds. */
  readonly processorMs: () => number
  readonly limits: StreamLimits
  readonly ids: EventIds
  readonly kinds: readonly Kind[]
  /** Who sees which part of the event now. */
  readonly visibility: () => VisibilitySettings
  /** Of the heartbeats. */
  readonly setTimer?: SetTimer
}

// The hub is idle, sending (`send`, which the pace starts at most once at a time), or closed. `sentTo` is the position that all
// following connections have reached. A reload of the world, or a freeze that changes what was sent, makes the next work a resync.

/** Sends events to all open streams of this process: docs/decisions/0034-push-changes-over-one-stream.md */
export interface StreamHub {
  /** Null if the stream may open now. */
  refusal(client: StreamClient): StreamRefusal | 'closed' | null
  /** Null if this process knows the position; otherwise another one is ahead, and the promise resolves when this one has caught up. */
  ready(lastEventId: string | undefined): Promise<void> | null
  /** The events that a client would get first, and the position that it then has. */
  poll(client: StreamClient, lastEventId: string | undefined): string
  /** Returns why it was not opened, if others that were admitted at the same time took the last place. */
  open(
    client: StreamClient,
    lastEventId: string | undefined,
    response: ServerResponse,
  ): StreamRefusal | 'closed' | null
  /** Ends all streams, so that their clients resume elsewhere. */
  close(): void
  count(): number
  /** Whether there is no place for another stream. */
  isFull(): boolean
}

/**
 * Connections that are written to in one turn of the event loop: about 8 ms. Other work has its turn in between, and with smaller
 * turns a full server needs seconds to reach everyone.
 */
const WRITES_PER_TURN = 750

export function createStreamHub(options: StreamHubOptions): StreamHub {
  const { follower, now, limits, ids } = options
  const kinds = streamKindsOf(options.kinds)
  const window = createLogWindow(follower.position(), kinds.events)
  const connections = createConnections(limits)
  const startAt = { seq: window.latest().seq, at: now() }
  const board = createBoardChanges(follower.shown(), startAt, kinds.scoring)
  const currentSnapshot = (): Snapshot => ({
    world: follower.shown(),
    live: follower.world(),
    visibility: options.visibility(),
    now: now(),
  })
  const sender = createSender(options, { window, connections, board, kinds, currentSnapshot })
  const pace = createPace({ work: sender.send, elapsedMs: options.elapsedMs })
  const { sentTo } = sender
  const stopHeartbeats = startHeartbeats({ connections, ids, sentTo, setTimer: options.setTimer })
  let opened = 0
  let isClosed = false
  follower.onCaughtUp(pace.request)

  function pieces(
    client: StreamClient,
    lastEventId: string | undefined,
    { isPolled = false } = {},
  ): Generator<string, Opening> {
    const receiverAt = (snapshot: Snapshot) => receiverOf(client, snapshot)
    return openingFor({ window, ids, board, kinds, currentSnapshot }, { receiverAt, lastEventId, isPolled })
  }

  const refusal = (client: StreamClient) => (isClosed ? 'closed' : connections.refusal(client))

  return {
    refusal,
    ready(lastEventId) {
      const position = lastEventId === undefined ? null : ids.parse(lastEventId)
      return position && window.isAhead(position) ? follower.catchUp().catch(() => {}) : null
    },
    poll(client, lastEventId) {
      // Before the events are rendered, so that the client gets whatever happens meanwhile once more.
      const at = now()
      const all = pieces(client, lastEventId, { isPolled: true })
      let text = ''
      let piece = all.next()
      for (; !piece.done; piece = all.next()) text += piece.value
      // As a heartbeat: always, and past entries that the client may not see.
      return text + piece.value.text + frame('position', {}, ids.of({ ...window.latest(), at }))
    },
    open(client, lastEventId, response) {
      // The client left while the server looked at the log or a limit, so no `close` would make room again.
      if (response.closed || response.socket?.destroyed !== false) return null
      // Many that are admitted at the same time have not taken their places yet.
      const why = refusal(client)
      if (why !== null) return why
      opened += 1
      const connection: Connection = { response, client, seq: OPENING_SEQ, slot: opened }
      connections.add(connection)
      writeStreamHead(response, STREAM_TYPE)
      feed(connection, pieces(client, lastEventId), { connections, setTimer: options.setTimer })
      return null
    },
    close() {
      isClosed = true
      stopHeartbeats()
      pace.close()
      for (const connection of connections.all()) endConnection(connection)
    },
    count: () => connections.all().size,
    isFull: () => connections.all().size >= limits.maxTotal,
  }
}

interface SenderDeps {
  readonly window: LogWindow
  readonly connections: ReturnType<typeof createConnections>
  readonly board: ReturnType<typeof createBoardChanges>
  readonly kinds: StreamKinds
  readonly currentSnapshot: () => Snapshot
}

const closedIn = ({ visibility }: Snapshot) => JSON.stringify(closedParts(visibility))

/** Sends what happened since the last time to all connections. */
function createSender(
  { follower, elapsedMs, processorMs, ids }: StreamHubOptions,
  { window, connections, board, kinds, currentSnapshot }: SenderDeps,
) {
  const states = createStateFrames({ board, kinds }, currentSnapshot())
  const standings = createOwnStandings(connections, elapsedMs)
  let sentTo: StreamPosition = { ...window.latest(), at: currentSnapshot().now }
  let mustResync = false
  /** Whether the last work had something to say: entries that only record ranks have not. */
  let isDone = false
  let frozenAt = follower.shown().frozenAt
  let closed = closedIn(currentSnapshot())

  follower.onLog({
    entries: (entries, views) => window.add(entries, views),
    reloaded(position) {
      window.reset(position)
      mustResync = true
    },
  })

  function resyncWriter(snapshot: Snapshot): (connection: Connection) => void {
    const bytes = Buffer.from(frame('resync', {}, ids.of(sentTo)) + frame('phase', phaseAt(snapshot)))
    return (connection) => {
      connection.seq = sentTo.seq
      connections.write(connection, bytes)
    }
  }

  /** Whether a freeze began or ended in the past, or a part was opened or closed, so that what was sent is not what reads return now. */
  function isReadDifferently(snapshot: Snapshot): boolean {
    const { world, now } = snapshot
    const [closedBefore, before] = [closed, frozenAt ?? Infinity]
    closed = closedIn(snapshot)
    frozenAt = world.frozenAt
    const after = frozenAt ?? Infinity
    return closed !== closedBefore || (before !== after && Math.min(before, after) <= now)
  }

  function write(connection: Connection, bytes: Buffer | string): void {
    isDone = true
    connections.write(connection, bytes)
  }

  /** Null if there is nothing to send. */
  function nextWriter(snapshot: Snapshot): ((connection: Connection) => void) | null {
    const from = sentTo
    sentTo = { ...window.latest(), at: from.at }
    const entries = mustResync || isReadDifferently(snapshot) ? null : window.after(from)
    mustResync = false
    const state = states.next(snapshot, entries ?? [], sentTo.seq)
    isDone = !entries || state !== null
    if (!entries) return resyncWriter(snapshot)
    if (entries.length === 0 && !state) return null
    return batchWriter({ connections: { write }, ids, kinds }, snapshot, { from: from.seq, entries, state })
  }

  return {
    sentTo: () => sentTo,
    async send(): Promise<Work> {
      // Asking the system takes longer than what there is to do without connections.
      const clock = connections.all().size > 0 ? processorMs : () => 0
      let turnAt = clock()
      const snapshot = currentSnapshot()
      const writeTo = nextWriter(snapshot)
      let busyMs = clock() - turnAt
      const targets = writeTo ? [...connections.all()] : []
      for (let at = 0; at < targets.length; at += WRITES_PER_TURN) {
        turnAt = clock()
        for (const connection of targets.slice(at, at + WRITES_PER_TURN)) writeTo?.(connection)
        busyMs += clock() - turnAt
        await setImmediate()
      }
      // Only now has everyone got what the clock did up to then.
      sentTo = { ...sentTo, at: snapshot.now }
      busyMs += await standings.send(currentSnapshot(), clock)
      return { busyMs, isDone }
    },
  }
}
