/** Disposes resources in reverse order, each once. Node 20 has no AsyncDisposableStack. */
export interface Disposal extends AsyncDisposable {
  defer(end: () => unknown): void
}

export function createDisposal(): Disposal {
  const ends: (() => unknown)[] = []
  return {
    defer: (end) => void ends.push(end),
    async [Symbol.asyncDispose]() {
      const failures: unknown[] = []
      for (let end = ends.pop(); end; end = ends.pop()) {
        // One failure must not prevent the other disposals.
        await Promise.resolve()
          .then(end)
          .catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some resources could not be closed')
    },
  }
}
