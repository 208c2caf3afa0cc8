/**
 * One run at a time for each key. A call never joins a run that began before it: it waits for the next one, together
 * with all others of its key. So many who ask the same at once cost little more than one, and nobody gets an answer
 * that is older than the question.
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
