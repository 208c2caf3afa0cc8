import { runMany } from '../../layout/organiser-list/run-many.ts'

/** Maximum number of challenges to count: one request each, four in parallel. */
export const MOST_COUNTED = 200

interface CountOptions {
  /** If it rejects, the challenge is left out. */
  readonly count: (id: string) => Promise<number>
  readonly signal: AbortSignal
}

/** Returns the number of wrong flags per challenge; challenges without any are left out. */
export async function triesOf(ids: readonly string[], { count, signal }: CountOptions) {
  const tries = new Map<string, number>()
  const run = async (id: string) => {
    const total = await count(id).catch(() => 0)
    if (total > 0) tries.set(id, total)
    return null
  }
  await runMany(ids.slice(0, MOST_COUNTED), { run, onProgress: () => {}, signal })
  // A partial count would look like a complete one.
  signal.throwIfAborted()
  return tries
}

/** Sorts by wrong flags, most first; otherwise keeps the order. */
export function mostTried<Item extends { readonly id: string }>(
  items: readonly Item[],
  tries: ReadonlyMap<string, number>,
): Item[] {
  return items.toSorted((a, b) => (tries.get(b.id) ?? 0) - (tries.get(a.id) ?? 0))
}
