import { runMany } from '../../layout/organiser-list/run-many.ts'

/** Challenges whose wrong answers are counted, a request each and four at a time. */
export const MOST_COUNTED = 200

interface CountOptions {
  /** May reject: that challenge is left out. */
  readonly count: (id: string) => Promise<number>
  readonly signal: AbortSignal
}

/** How many tries each of these had; those without any are left out. */
export async function triesOf(ids: readonly string[], { count, signal }: CountOptions) {
  const tries = new Map<string, number>()
  const deed = async (id: string) => {
    const total = await count(id).catch(() => 0)
    if (total > 0) tries.set(id, total)
    return null
  }
  await runMany(ids.slice(0, MOST_COUNTED), { deed, onProgress: () => {}, signal })
  // Half a count would look like a whole one.
  signal.throwIfAborted()
  return tries
}

/** Those with the most tries first; the others stay as they were. */
export function mostTried<Item extends { readonly id: string }>(
  items: readonly Item[],
  tries: ReadonlyMap<string, number>,
): Item[] {
  return items.toSorted((a, b) => (tries.get(b.id) ?? 0) - (tries.get(a.id) ?? 0))
}
