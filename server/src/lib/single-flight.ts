/**
 * One run at a time. A call never joins a run that started before it: it shares the next one with all waiting calls. So
 * the run sees everything that was committed before the call. Unlike npm's single-flight packages, a call never joins a run that has already started.
 */
export function createSingleFlight(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    next = null
    const current = run().finally(() => {
      if (running === current) running = null
    })
    running = current
    return current
  }

  return () => {
    if (next) return next
    if (!running) return start()
    next = running.then(start, start)
    return next
  }
}
