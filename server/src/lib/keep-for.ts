/**
 * One value for all who ask within `ms`, and one run at a time however many ask. A failure is told to those who wait
 * for it and not kept.
 */
export function keepFor<T>(ms: number, now: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly at: number; isRunning: boolean } | null = null
  return () => {
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
