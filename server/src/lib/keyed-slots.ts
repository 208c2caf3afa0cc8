import { UnavailableError } from './errors.ts'
import { createSlots, type SlotsOptions } from './slots.ts'

export interface KeyedSlots {
  /** Runs work of this key: a few at once, the others in their order. Rejects when the line is full. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  isFull(key: string): boolean
}

/** Slots for each key, so that one key's crowd waits behind itself. */
export function createKeyedSlots(options: SlotsOptions): KeyedSlots {
  const lines = new Map<string, { readonly run: ReturnType<typeof createSlots>; count: number }>()
  const most = options.slots + options.maxQueue
  const isFull = (key: string) => (lines.get(key)?.count ?? 0) >= most
  return {
    isFull,
    async run(key, work) {
      if (isFull(key)) throw new UnavailableError('too many requests are waiting')
      const line = lines.get(key) ?? { run: createSlots(options), count: 0 }
      lines.set(key, line)
      line.count++
      try {
        return await line.run(work)
      } finally {
        if (--line.count === 0) lines.delete(key)
      }
    },
  }
}
