import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MAX_TIMES_WAIT_MS } from '@pennant/contract/client-config.ts'
import { createTimesQueue } from './times-queue.ts'

function openQueue(limits: { maxTotal?: number; maxPerAddress?: number } = {}) {
  const times: { startTime: number; endTime: number; freezeTime?: number } = {
    startTime: 1000,
    endTime: 2000,
  }
  const queue = createTimesQueue({ times: () => times, maxTotal: 1000, maxPerAddress: 1000, ...limits })
  onTestFinished(() => queue.close())
  let ended = 0
  const wait = async (address = 'a', socket = new EventEmitter() as Socket) => {
    await queue.wait({ startTime: 1000, endTime: 2000 }, { address, socket })
    ended += 1
  }
  return { times, queue, wait, ended: () => ended }
}

test('a request waits until the times change', async () => {
  const { times, queue, wait, ended } = openQueue()
  const waits = Array.from({ length: 600 }, () => wait())
  queue.check()
  await setImmediate()
  expect(ended()).toBe(0)
  times.startTime = 500
  queue.check()
  await Promise.all(waits)
  expect([ended(), queue.count()]).toEqual([600, 0])
})

test('a request waits until a freeze is set', async () => {
  const { times, queue, wait } = openQueue()
  const waiting = wait()
  times.freezeTime = 1500
  queue.check()
  await waiting
  expect(queue.count()).toBe(0)
})

test('a request with other times does not wait', async () => {
  const { queue, times, wait } = openQueue()
  times.endTime = 3000
  await wait()
  expect(queue.count()).toBe(0)
})

test('requests over the limit of all, or of one address, do not wait', async () => {
  const { queue, wait, ended } = openQueue({ maxTotal: 3, maxPerAddress: 2 })
  const socket = new EventEmitter() as Socket
  const first = wait('a', socket)
  void wait('a')
  await wait('a')
  void wait('b')
  await wait('c')
  expect([ended(), queue.count()]).toEqual([2, 3])
  // A client that disconnects makes room.
  socket.emit('close')
  await first
  void wait('a')
  await setImmediate()
  expect(queue.count()).toBe(3)
  expect(socket.listenerCount('close')).toBe(0)
})

test('a request is answered after the longest wait, and leaves no listener on its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { wait, ended } = openQueue()
  const socket = new EventEmitter() as Socket
  const waiting = wait('a', socket)
  await vi.advanceTimersByTimeAsync(MAX_TIMES_WAIT_MS - 1)
  expect(ended()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(socket.listenerCount('close')).toBe(0)
})

test('closing releases everybody, and nobody waits afterwards', async () => {
  const { queue, wait } = openQueue()
  const waiting = wait()
  queue.close()
  await waiting
  await wait()
  expect(queue.count()).toBe(0)
})
