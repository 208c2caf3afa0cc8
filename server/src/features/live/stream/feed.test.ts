import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { expect, test } from 'vitest'
import { createConnections, OPENING_SEQ, type Connection } from './connections.ts'
import { feed } from './feed.ts'
import type { Opening } from './opening.ts'

/** A socket whose client reads only when the test says so. */
class FullSocket extends EventEmitter {
  readonly written: string[] = []
  readonly writableLength = 0
  destroyed = false
  write(text: string): boolean {
    this.written.push(text)
    return false
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function* pieces(rendered: number[]): Generator<string, Opening> {
  for (const piece of [1, 2]) {
    rendered.push(piece)
    yield `piece ${piece}`
  }
  return { text: 'the rest', seq: 9 }
}

function openConnection() {
  const socket = new FullSocket()
  const rendered: number[] = []
  const timers: { ms: number; run: () => void }[] = []
  const response = { socket, writableEnded: false } as unknown as ServerResponse
  const client = { address: '192.0.2.1', team: null }
  const connection: Connection = { response, client, seq: OPENING_SEQ, slot: 0 }
  const connections = createConnections({ maxTotal: 1, maxPerAddress: 1, maxPerTeam: 1 })
  const setTimer = (ms: number, run: () => void) => {
    const timer = { ms, run }
    timers.push(timer)
    return () => void timers.splice(timers.indexOf(timer), 1)
  }
  feed(connection, pieces(rendered), { connections, setTimer })
  return { socket, rendered, timers, connection, connections }
}

test('a piece is rendered once the client has read the one before', () => {
  const { socket, rendered, timers, connection, connections } = openConnection()
  connections.write(connection, 'something new')
  expect([rendered, socket.written]).toEqual([[1], ['piece 1']])
  socket.emit('drain')
  expect(rendered).toEqual([1, 2])
  expect(connection.seq).toBe(OPENING_SEQ)
  socket.emit('drain')
  expect(socket.written).toEqual(['piece 1', 'piece 2', 'the rest'])
  expect([connection.seq, timers]).toEqual([9, []])
  expect(socket.listenerCount('close')).toBe(0)
})

test('a client that does not read a piece within a minute is closed', () => {
  const { socket, rendered, timers } = openConnection()
  expect(timers.map(({ ms }) => ms)).toEqual([MINUTE_MS])
  timers[0]?.run()
  expect(socket.destroyed).toBe(true)
  expect(timers).toEqual([])
  socket.emit('drain')
  expect(rendered).toEqual([1])
})

test('a stream that got `resync` meanwhile gets no further piece', () => {
  const { socket, rendered, connection } = openConnection()
  connection.seq = 5
  socket.emit('drain')
  expect([rendered, connection.seq]).toEqual([[1], 5])
})
