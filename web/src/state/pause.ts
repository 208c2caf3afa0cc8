/** Resolves after the given milliseconds, immediately for 0. Rejects when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort)
  })
}
