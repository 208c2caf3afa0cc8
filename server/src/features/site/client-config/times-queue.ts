import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { MAX_TIMES_WAIT_MS } from '@pennant/contract/client-config.ts'
import type { EventTimes } from '../../../lib/event-times.ts'

export interface TimesQueueOptions {
  /** `freezeTime` is null without a freeze. */
  readonly times: () => KnownTimes
  /** Maximum number of waiting requests. */
  readonly maxTotal: number
  readonly maxPerAddress: number
}

type KnownTimes = EventTimes & { readonly freezeTime?: number | null | undefined }

/** Requests that wait until the event's times change: docs/decisions/0034-push-changes-over-one-stream.md */
export interface TimesQueue {
  /**
   * Resolves when the times differ from the known ones, when the freeze is changed, after `MAX_TIMES_WAIT_MS`, when the client disconnects, or when
   * the server shuts down; immediately if too many requests wait.
   */
  wait(known: EventTimes, client: TimesClient): Promise<void>
  /** Compares the times with those that are waited for. */
  check(): void
  /** Releases everybody; from then on nobody waits. */
  close(): void
  /** Number of waiting requests. */
  count(): number
}

interface TimesClient {
  /** The key of the client's address. */
  readonly address: string
  readonly socket: Socket
}

/** Thousands of responses in one turn of the event loop would delay all others. */
const RELEASED_PER_TURN = 250

export function createTimesQueue({ times, maxTotal, maxPerAddress }: TimesQueueOptions): TimesQueue {
  const waiting = new Set<() => void>()
  /** Waiting requests by address. */
  const counts = new Map<string, number>()
  let isClosed = false
  let last = current()

  /** A copy: the world changes in place. */
  function current(): KnownTimes {
    const { startTime, endTime, freezeTime = null } = times()
    return { startTime, endTime, freezeTime }
  }

  async function release(): Promise<void> {
    let released = 0
    // Those that arrive meanwhile wait for the next change.
    const all = [...waiting]
    for (const resolve of all) {
      resolve()
      released += 1
      if (released % RELEASED_PER_TURN === 0) await setImmediate()
    }
  }

  return {
    wait(known, { address, socket }) {
      const count = counts.get(address) ?? 0
      const isFull = waiting.size >= maxTotal || count >= maxPerAddress
      if (isClosed || isFull || !isSame(known, times())) return Promise.resolve()
      counts.set(address, count + 1)
      return new Promise((resolve) => {
        const done = () => {
          if (!waiting.delete(done)) return
          clearTimeout(timer)
          socket.off('close', done)
          const left = (counts.get(address) ?? 1) - 1
          if (left === 0) counts.delete(address)
          else counts.set(address, left)
          resolve()
        }
        const timer = setTimeout(done, MAX_TIMES_WAIT_MS)
        waiting.add(done)
        socket.once('close', done)
      })
    },

    check() {
      const now = current()
      if (isSame(last, now) && last.freezeTime === now.freezeTime) return
      last = now
      void release()
    },

    close() {
      isClosed = true
      for (const done of waiting) done()
    },

    count: () => waiting.size,
  }
}

function isSame(one: EventTimes, other: EventTimes): boolean {
  return one.startTime === other.startTime && one.endTime === other.endTime
}
