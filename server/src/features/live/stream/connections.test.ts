import type { ServerResponse } from 'node:http'
import { HEARTBEAT_MS } from '@pennant/contract/stream.ts'
import { expect, test } from 'vitest'
import { createConnections, MAX_UNREAD_BYTES, type Connection } from './connections.ts'
import { createEventIds } from './frames.ts'
import { HEARTBEAT_SLOTS, startHeartbeats } from './heartbeats.ts'

const ids = createEventIds(Buffer.alloc(32, 1))
const sentTo = () => ({ seq: 7, mark: '1.5', at: 1600 })

const limits = { maxTotal: 10, maxPerAddress: 10, maxPerTeam: 10 }

/** A connection to a client that reads nothing, and what was written to it. */
function connect({ slot = 0, seq = 7 }: Partial<Connection> = {}) {
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
  const connection: Connection = { response, client, seq, slot }
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
  const stop = startHeartbeats({ connections, ids, sentTo, setTimer: timer.setTimer })
  timer.tick()
  expect([one.written.length, two.written.length]).toEqual([1, 0])
  timer.tick()
  expect([one.written.length, two.written.length]).toEqual([1, 1])
  let waitedMs = 0
  for (let ticks = 2; ticks < 3 * HEARTBEAT_SLOTS; ticks += 1) waitedMs += timer.tick() ?? 0
  expect([one.written.length, two.written.length]).toEqual([3, 3])
  expect(waitedMs).toBe((HEARTBEAT_MS / HEARTBEAT_SLOTS) * (3 * HEARTBEAT_SLOTS - 2))
  stop()
  expect(timer.tick()).toBeNull()
})

test('every heartbeat has the position, in another text, whether or not anything happened', () => {
  const connections = createConnections(limits)
  const quiet = connect({ slot: 1 })
  const behind = connect({ slot: 1, seq: 6 })
  connections.add(quiet.connection)
  connections.add(behind.connection)
  const timer = createManualTimer()
  const stop = startHeartbeats({ connections, ids, sentTo, setTimer: timer.setTimer })
  for (let ticks = 0; ticks < 2 * HEARTBEAT_SLOTS; ticks += 1) timer.tick()
  stop()
  const sent = quiet.written.map(
    (text) => /^event: position\nid: (.+)\ndata: \{\}\n\n$/.exec(text)?.[1] ?? '',
  )
  expect(sent.map((id) => ids.parse(id))).toEqual([sentTo(), sentTo()])
  expect(new Set(sent).size).toBe(2)
  // The batch with the entry 7 is still being written to it.
  expect(behind.written).toEqual([])
})

test('ids of all positions have the same length, and only the key opens them', () => {
  const first = ids.of({ seq: 1, mark: '1795678313.100000', at: 0 })
  expect(ids.of({ seq: 123_456_789, mark: '1795678313.107606', at: 1_795_678_313_108 })).toHaveLength(
    first.length,
  )
  expect(ids.ofEntry({ seq: 2, mark: null })).toHaveLength(first.length)
  expect(ids.parse(ids.ofEntry({ seq: 2, mark: '1795678313.107606' }))).toEqual({
    seq: 2,
    mark: '1795678313.107606',
    at: 1_795_678_313_107.606,
  })
  expect(createEventIds(Buffer.alloc(32, 2)).parse(first)).toBeNull()
  for (const text of ['', '1-1795678313.1', '0-', 'x'.repeat(10_000)]) expect(ids.parse(text)).toBeNull()
})
