/**
 * One run at a time. A call never joins a run that began before it: it waits for the next one, together with all the
 * others that wait. So what was true before the call is seen by the run that the call waits for.
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
