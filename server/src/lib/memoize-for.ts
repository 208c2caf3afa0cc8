import { mayUseCaches } from './caching.ts'

/**
 * Caches one value for `ms`, and runs once at a time however many callers there are. A failure rejects the callers that
 * wait for it and is not cached. Not a package: `memoize` needs Node 22 and uses the system clock.
 */
export function memoizeFor<T>(ms: number, now: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly at: number; isRunning: boolean } | null = null
  return () => {
    if (!mayUseCaches()) return make()
    if (kept && (kept.isRunning || now() - kept.at < ms)) return kept.value
    const made = { value: make(), at: now(), isRunning: true }
    kept = made
    made.value.then(
      () => (made.isRunning = false),
      () => {
        if (kept === made) kept = null
      },
    )
    return made.value
  }
}
