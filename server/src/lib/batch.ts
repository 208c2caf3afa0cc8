import { UnavailableError } from './errors.ts'

export interface BatchOptions<In, Out> {
  /** Returns one result per item, in order. When it rejects, every item of this run rejects with its error. */
  readonly run: (items: readonly In[]) => Promise<readonly Out[]>
  /** Maximum items per run. */
  readonly maxBatch: number
  /** Maximum items in the queue; further ones are rejected. */
  readonly maxQueue: number
  /** Called after each successful run with its items and its duration. */
  readonly onRun?: (items: number, ms: number) => void
}

interface Waiting<In, Out> {
  readonly item: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: one run at a time, and items that arrive while it is in flight are batched into the next. When idle, a
 * run starts at the end of the current turn of the event loop, with all items of that turn. Not `dataloader`: it runs
 * batches concurrently and its queue has no limit.
 */
export function createBatcher<In, Out>(options: BatchOptions<In, Out>) {
  const { maxBatch, maxQueue } = options
  let queue: Waiting<In, Out>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    // Ends when the queue is empty, and the queue is bounded by `maxQueue`.
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await settle(batch, options)
    }
    isRunning = false
  }

  return (item: In): Promise<Out> => {
    if (queue.length >= maxQueue) return Promise.reject(new UnavailableError('too many requests are waiting'))
    return new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      setImmediate(() => void drain())
    })
  }
}

async function settle<In, Out>(
  batch: readonly Waiting<In, Out>[],
  { run, onRun }: BatchOptions<In, Out>,
): Promise<void> {
  try {
    const started = performance.now()
    const results = await run(batch.map((waiting) => waiting.item))
    if (results.length !== batch.length)
      throw new Error('the batch returned another number of results than items')
    onRun?.(batch.length, performance.now() - started)
    for (const [at, waiting] of batch.entries()) waiting.resolve(results[at] as Out)
  } catch (error) {
    for (const waiting of batch) waiting.reject(error)
  }
}
