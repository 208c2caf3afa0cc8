/** Maximum number of requests in flight. */
const PARALLEL = 4

export interface ManyState<Item> {
  readonly done: number
  readonly failures: readonly { readonly item: Item; readonly why: string }[]
}

interface ManyOptions<Item> {
  /** Runs the action for one item. Returns the error message, or null on success. Must not throw. */
  readonly run: (item: Item) => Promise<string | null>
  readonly onProgress: (state: ManyState<Item>) => void
  /** Starts no further item after an abort; requests in flight are awaited. */
  readonly signal: AbortSignal
}

/** Runs the same action for many items, four at a time, and collects the failures. */
export async function runMany<Item>(items: readonly Item[], options: ManyOptions<Item>): Promise<void> {
  let state: ManyState<Item> = { done: 0, failures: [] }
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) {
      if (options.signal.aborted) return
      const why = await options.run(item)
      state = {
        done: state.done + 1,
        failures: why === null ? state.failures : [...state.failures, { item, why }],
      }
      options.onProgress(state)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}
