import { UnavailableError } from './errors.ts'
import { createSemaphore, type SemaphoreOptions } from './semaphore.ts'

export interface KeyedSlots {
  /** Runs work of this key: a few at once, the others queue in order. Rejects when the queue is full. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  isFull(key: string): boolean
}

/** A semaphore per key, so that load on one key does not delay the others. */
export function createKeyedSlots(options: SemaphoreOptions): KeyedSlots {
  const lines = new Map<string, { readonly run: ReturnType<typeof createSemaphore>; count: number }>()
  const most = options.slots + options.maxQueue
  const isFull = (key: string) => (lines.get(key)?.count ?? 0) >= most
  return {
    isFull,
    async run(key, work) {
      if (isFull(key)) throw new UnavailableError('too many requests are waiting')
      const line = lines.get(key) ?? { run: createSemaphore(options), count: 0 }
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
