/**
 * One run at a time per key. A call never joins a run that started before it: it shares the next one with all waiting
 * calls of its key. So many concurrent calls cost little more than one, and no caller gets a result older than its
 * call. npm's single-flight packages join the current run instead.
 */
export function createSharedRuns<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, { readonly current: Promise<T>; next: Promise<T> | null }>()

  function start(key: string, run: () => Promise<T>): Promise<T> {
    const current = run().finally(() => {
      const flight = flights.get(key)
      if (flight?.current === current && !flight.next) flights.delete(key)
    })
    flights.set(key, { current, next: null })
    return current
  }

  return (key, run) => {
    const flight = flights.get(key)
    if (!flight) return start(key, run)
    const begin = () => start(key, run)
    flight.next ??= flight.current.then(begin, begin)
    return flight.next
  }
}
