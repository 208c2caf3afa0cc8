import { UnavailableError } from './errors.ts'

export interface SlotsOptions {
  /** Most pieces of work under way. */
  readonly slots: number
  /** Most that wait for a slot; further ones are refused. */
  readonly maxQueue: number
}

/** Runs work that is dear in memory or time: a few at once, the others in their order. */
export function createSlots({ slots, maxQueue }: SlotsOptions): <T>(work: () => Promise<T>) => Promise<T> {
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

  /** The slot passes on, so that nobody who comes now overtakes those who wait. */
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
