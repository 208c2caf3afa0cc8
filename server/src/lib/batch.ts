import { UnavailableError } from './errors.ts'

export interface BatchOptions<In, Out> {
  /** Answers every item, in the order of the items. When it rejects, every item of this run rejects with its error. */
  readonly run: (items: readonly In[]) => Promise<readonly Out[]>
  /** Most items of one run. */
  readonly maxBatch: number
  /** Most items that wait for the next runs; further ones are refused. */
  readonly maxQueue: number
}

interface Waiting<In, Out> {
  readonly item: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: one run at a time, and items that arrive while it is under way go together in the next. A lone item
 * starts at the end of the current turn of the event loop, together with those that came in the same turn.
 */
export function createBatcher<In, Out>({ run, maxBatch, maxQueue }: BatchOptions<In, Out>) {
  let queue: Waiting<In, Out>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    // Ends when the queue is empty, and the queue is bounded by `maxQueue`.
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await settle(batch, run)
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
  run: BatchOptions<In, Out>['run'],
): Promise<void> {
  try {
    const answers = await run(batch.map((waiting) => waiting.item))
    if (answers.length !== batch.length) throw new Error('a batch was answered with another length')
    for (const [at, waiting] of batch.entries()) waiting.resolve(answers[at] as Out)
  } catch (error) {
    for (const waiting of batch) waiting.reject(error)
  }
}
