/** Requests of one deed that are underway at once. */
const PARALLEL = 4

export interface ManyState<Item> {
  readonly done: number
  readonly failures: readonly { readonly item: Item; readonly why: string }[]
}

interface ManyOptions<Item> {
  /** Does it to one. Gives back why not, or null when it is done. Must not throw. */
  readonly deed: (item: Item) => Promise<string | null>
  readonly onProgress: (state: ManyState<Item>) => void
  /** Begins no further one; those underway are waited for. */
  readonly signal: AbortSignal
}

/** Does the same to many, four at a time, and collects what failed. */
export async function runMany<Item>(items: readonly Item[], options: ManyOptions<Item>): Promise<void> {
  let state: ManyState<Item> = { done: 0, failures: [] }
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) {
      if (options.signal.aborted) return
      const why = await options.deed(item)
      state = {
        done: state.done + 1,
        failures: why === null ? state.failures : [...state.failures, { item, why }],
      }
      options.onProgress(state)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}
