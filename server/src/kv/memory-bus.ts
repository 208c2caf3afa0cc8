import type { Bus } from '../lib/key-value.ts'

/** Wakes listeners of this process only, after the publisher's own step, as a store would. */
export function createMemoryBus(): Bus {
  const channels = new Map<string, Set<() => void>>()
  return {
    async publish(channel) {
      for (const listener of channels.get(channel) ?? []) queueMicrotask(listener)
    },

    subscribe(channel, listener) {
      // A wrapper of its own: one function may subscribe twice.
      const entry = () => listener()
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(entry))
      return () => {
        listeners.delete(entry)
        if (listeners.size === 0 && channels.get(channel) === listeners) channels.delete(channel)
      }
    },
  }
}
