import type { Redis } from 'ioredis'
import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'

interface RedisBusOptions {
  readonly redis: Redis
  /** A dedicated connection: a subscribed one accepts no other commands. */
  readonly subscriber: Redis
  readonly log: Log
}

export interface ClosableBus extends Bus {
  close(): void
}

export function createRedisBus({ redis, subscriber, log }: RedisBusOptions): ClosableBus {
  const channels = new Map<string, Set<() => void>>()

  // The client resubscribes automatically, but not to channels that were added during an outage.
  function subscribeAll() {
    const names = [...channels.keys()]
    if (names.length === 0 || subscriber.status !== 'ready') return
    subscriber.subscribe(...names).catch(() => {})
  }
  subscriber.on('ready', subscribeAll)
  subscriber.on('message', (channel: string) => {
    for (const listener of channels.get(channel) ?? []) listener()
  })

  return {
    // A lost message only causes a delay, because listeners also poll, so the request must not fail.
    async publish(channel) {
      try {
        await redis.publish(channel, '')
      } catch (error) {
        log.debug({ channel, err: error }, 'could not publish a wake-up')
      }
    },

    subscribe(channel, listener) {
      const entry = () => listener()
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(entry))
      subscribeAll()
      return () => {
        listeners.delete(entry)
        if (listeners.size > 0 || channels.get(channel) !== listeners) return
        channels.delete(channel)
        if (subscriber.status === 'ready') subscriber.unsubscribe(channel).catch(() => {})
      }
    },

    close() {
      channels.clear()
      subscriber.disconnect()
    },
  }
}
