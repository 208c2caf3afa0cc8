import type { ServerResponse } from 'node:http'
import { HEARTBEAT_MS } from '@pennant/contract/stream.ts'
import { expect, test } from 'vitest'
import { createConnections, MAX_UNREAD_BYTES, type Connection } from './connections.ts'
import { HEARTBEAT_SLOTS, startHeartbeats } from './heartbeats.ts'

const limits = { maxTotal: 10, maxPerAddress: 10, maxPerTeam: 10 }

/** A connection to a client that reads nothing, and what was written to it. */
function connect({ slot = 0, seq = 7, shownSeq = seq }: Partial<Connection> = {}) {
  const written: string[] = []
  const socket = {
    destroyed: false,
    writableLength: 0,
    write(bytes: Buffer | string) {
      written.push(String(bytes))
      this.writableLength += Buffer.byteLength(bytes)
    },
    destroy() {
      this.destroyed = true
    },
  }
  const response = { socket, once: () => {} } as unknown as ServerResponse
  const client = { address: '192.0.2.1', team: null }
  const connection: Connection = { response, client, seq, shownSeq, slot }
  return { connection, written, socket }
}

/** A timer that only the test moves. */
function createManualTimer() {
  let pending: { readonly ms: number; readonly run: () => void } | null = null
  return {
    setTimer(ms: number, run: () => void) {
      const own = { ms, run }
      pending = own
      return () => {
        if (pending === own) pending = null
      }
    },
    /** Runs what is due and returns how long it waited; null if nothing waits. */
    tick(): number | null {
      const due = pending
      pending = null
      due?.run()
      return due?.ms ?? null
    },
  }
}

test('a connection is cut off once more than the limit waits for its client, not before', () => {
  const connections = createConnections(limits)
  const { connection, socket, written } = connect()
  connections.write(connection, Buffer.alloc(MAX_UNREAD_BYTES))
  expect(socket.destroyed).toBe(false)
  connections.write(connection, ':')
  expect(socket.destroyed).toBe(true)
  connections.write(connection, 'more')
  expect(written).toHaveLength(2)
})

test('each connection gets one heartbeat per interval, spread over it', () => {
  const connections = createConnections(limits)
  const one = connect({ slot: 1 })
  const two = connect({ slot: 42 })
  connections.add(one.connection)
  connections.add(two.connection)
  const timer = createManualTimer()
  const stop = startHeartbeats(connections, () => ({ seq: 7, mark: '1.5' }), timer.setTimer)
  timer.tick()
  expect([one.written, two.written]).toEqual([[':\n\n'], []])
  timer.tick()
  expect([one.written, two.written]).toEqual([[':\n\n'], [':\n\n']])
  let waitedMs = 0
  for (let ticks = 2; ticks < 3 * HEARTBEAT_SLOTS; ticks += 1) waitedMs += timer.tick() ?? 0
  expect([one.written.length, two.written.length]).toEqual([3, 3])
  expect(waitedMs).toBe((HEARTBEAT_MS / HEARTBEAT_SLOTS) * (3 * HEARTBEAT_SLOTS - 2))
  stop()
  expect(timer.tick()).toBeNull()
})

test('a heartbeat moves the position of a client that was not shown the latest entries, once', () => {
  const connections = createConnections(limits)
  const hidden = connect({ slot: 1, seq: 7, shownSeq: 3 })
  const behind = connect({ slot: 1, seq: 6 })
  connections.add(hidden.connection)
  connections.add(behind.connection)
  const timer = createManualTimer()
  const stop = startHeartbeats(connections, () => ({ seq: 7, mark: '1.5' }), timer.setTimer)
  for (let ticks = 0; ticks < 2 * HEARTBEAT_SLOTS; ticks += 1) timer.tick()
  stop()
  expect(hidden.written).toEqual(['event: position\nid: 7-1.5\ndata: {}\n\n', ':\n\n'])
  // The batch with the entry 7 is still being written to it.
  expect(behind.written).toEqual([])
})
