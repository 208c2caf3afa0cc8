import { Counter, type Histogram, type Registry } from 'prom-client'

/** Buckets from a response out of memory to the timeout of a slow external call. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const DURATIONS = 'http_request_duration_seconds'

/** The responses of one route. */
interface Tally {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, number>
  /** Responses by bucket, not cumulative; the last one is for those beyond all bounds. */
  readonly byBucket: Float64Array
  seconds: number
}

/**
 * Returns what counts the responses of a route. Counting runs for every request, and prom-client takes as long for its labels as
 * the whole rest of a response from memory, so it only gets the numbers when they are read.
 */
export function requestCounters(
  registry: Registry,
): (method: string, route: string) => (status: number, ms: number) => void {
  // Bounded: routes are patterns of the contract, and there are few methods and statuses.
  const tallies = new Map<string, Tally>()
  const counters = new Map<string, (status: number, ms: number) => void>()
  addCounter(registry, tallies)
  addHistogram(registry, tallies)
  return (method, route) => {
    const key = `${method} ${route}`
    const found = counters.get(key)
    if (found) return found
    const byBucket = new Float64Array(REQUEST_SECONDS.length + 1)
    const tally: Tally = { method, route, byStatus: new Map(), byBucket, seconds: 0 }
    const count = (status: number, ms: number) => add(tally, status, ms / 1000)
    tallies.set(key, tally)
    counters.set(key, count)
    return count
  }
}

function add(tally: Tally, status: number, seconds: number): void {
  const { byStatus, byBucket } = tally
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  let at = 0
  while (at < REQUEST_SECONDS.length && seconds > (REQUEST_SECONDS[at] ?? 0)) at += 1
  byBucket[at] = (byBucket[at] ?? 0) + 1
  tally.seconds += seconds
}

function addCounter(registry: Registry, tallies: ReadonlyMap<string, Tally>): void {
  const counter = new Counter({
    name: 'http_requests_total',
    help: 'HTTP responses sent.',
    labelNames: ['route', 'method', 'status'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const { route, method, byStatus } of tallies.values()) {
        for (const [status, count] of byStatus) this.inc({ route, method, status }, count)
      }
    },
  })
  registry.registerMetric(counter)
}

/** prom-client has no histogram whose numbers can be set, so this is the part of one that a registry reads. */
function addHistogram(registry: Registry, tallies: ReadonlyMap<string, Tally>): void {
  const histogram = {
    name: DURATIONS,
    async get() {
      const values = [...tallies.values()].flatMap(valuesOf)
      const help = 'Time from the request to the end of the response.'
      return { name: DURATIONS, help, type: 'histogram', values, aggregator: 'sum' }
    },
    reset() {},
  }
  registry.registerMetric(histogram as unknown as Histogram)
}

function valuesOf({ route, method, byBucket, seconds }: Tally) {
  const labels = { route, method }
  const total = byBucket.reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  let below = 0
  const buckets = [...REQUEST_SECONDS, '+Inf'].map((le, at) => {
    below += byBucket[at] ?? 0
    return { metricName: `${DURATIONS}_bucket`, labels: { le, ...labels }, value: below, exemplar: null }
  })
  return [
    ...buckets,
    { metricName: `${DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${DURATIONS}_count`, labels, value: total },
  ]
}
