import { UnavailableError } from './errors.ts'

export interface SemaphoreOptions {
  /** Maximum concurrent work. */
  readonly slots: number
  /** Maximum queue length; further work is rejected. */
  readonly maxQueue: number
}

/**
 * Limits the concurrency of work that is expensive in memory or time; the rest queues in order. Not `p-limit`: its queue
 * has no limit.
 */
export function createSemaphore({
  slots,
  maxQueue,
}: SemaphoreOptions): <T>(work: () => Promise<T>) => Promise<T> {
  let free = slots
  const waiting: (() => void)[] = []

  async function enter(): Promise<void> {
    if (free > 0) {
      free--
      return
    }
    if (waiting.length >= maxQueue) throw new UnavailableError('too many requests are waiting')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** Hands the slot to the next in the queue, so that a new call cannot overtake it. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
