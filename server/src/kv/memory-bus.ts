import type { Bus } from '../lib/key-value.ts'

/** Notifies listeners of this process only, and asynchronously, as Redis does. */
export function createMemoryBus(): Bus {
  const channels = new Map<string, Set<() => void>>()
  return {
    async publish(channel) {
      for (const listener of channels.get(channel) ?? []) queueMicrotask(listener)
    },

    subscribe(channel, listener) {
      // Wrapped, because the same function may subscribe twice.
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
