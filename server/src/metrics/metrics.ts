import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { addInstanceMetrics, type InstanceMetrics, type InstanceSources } from './instances.ts'

/** What the numbers are read from when somebody asks. One that fails is shown as not a number. */
export interface MetricSources {
  /** The process's own series: memory, processor, event loop. Once in a process, since their watchers stay. */
  readonly ofProcess: boolean
  /** How far this process's world is behind the database. */
  readonly boardStalenessMs: () => number
  readonly worldTeams: () => number
  readonly outboxPending: () => number | Promise<number>
  readonly streamClients: () => number
  /** Absent where there is no admin bot. */
  readonly adminBotQueue?: () => number | Promise<number>
  /** Absent where nothing runs instances. */
  readonly instances?: InstanceSources
  readonly pool: () => { readonly total: number; readonly idle: number; readonly waiting: number }
}

export interface Metrics {
  requestDone(request: { method: string; route: string; status: number; ms: number }): void
  submissionJudged(result: string): void
  solveRecorded(): void
  boardFolded(ms: number): void
  rateLimited(bucket: string): void
  readonly instanceStarted: InstanceMetrics['started']
  readonly contentType: string
  /** All series in the text form of Prometheus. */
  text(): Promise<string>
}

/** From an answer out of memory to the limit of a slow outside call. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** A fold takes a tenth of a millisecond; a rebuild of a large contest a second. */
const FOLD_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1]

/** The series of one process, in a registry of their own. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  if (sources.ofProcess) collectDefaultMetrics({ register: registry })
  addGauges(registry, sources)
  const instances = sources.instances && addInstanceMetrics(registry, sources.instances)
  const registers = [registry]
  const submissions = new Counter({
    name: 'pennant_submissions_total',
    help: 'Flags handed in, by how they were judged.',
    labelNames: ['result'] as const,
    registers,
  })
  const solves = new Counter({ name: 'pennant_solves_total', help: 'Solves recorded.', registers })
  const limited = new Counter({
    name: 'pennant_rate_limited_total',
    help: 'Requests refused for their rate.',
    labelNames: ['bucket'] as const,
    registers,
  })
  const folds = new Histogram({
    name: 'pennant_board_fold_seconds',
    help: 'Time to take one batch of changes into the board.',
    buckets: FOLD_SECONDS,
    registers,
  })
  return {
    requestDone: requestCounter(registry),
    submissionJudged: (result) => submissions.inc({ result }),
    solveRecorded: () => solves.inc(),
    boardFolded: (ms) => folds.observe(ms / 1000),
    rateLimited: (bucket) => limited.inc({ bucket }),
    instanceStarted: (result, ms) => instances?.started(result, ms),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

/** Runs for every request: the labels of a route and status are bound once and found again by one key. */
function requestCounter(registry: Registry): Metrics['requestDone'] {
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['route', 'method'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  })
  // Bounded: routes are patterns of ours, and methods and statuses are few.
  const bound = new Map<string, (ms: number) => void>()
  return ({ method, route, status, ms }) => {
    const key = `${method} ${status} ${route}`
    let count = bound.get(key)
    if (!count) {
      const request = requests.labels({ route, method, status })
      const duration = durations.labels({ route, method })
      count = (took) => {
        request.inc()
        duration.observe(took / 1000)
      }
      bound.set(key, count)
    }
    count(ms)
  }
}

function addGauges(registry: Registry, sources: MetricSources): void {
  const gauges: readonly [name: string, help: string, read: () => number | Promise<number>][] = [
    [
      'pennant_board_staleness_seconds',
      'How far the board of this process is behind the database.',
      () => sources.boardStalenessMs() / 1000,
    ],
    ['pennant_world_teams', 'Teams in the memory of this process.', sources.worldTeams],
    ['pennant_outbox_pending', 'Mails and messages that wait to be sent.', sources.outboxPending],
    ['pennant_stream_clients', 'Event streams open on this process.', sources.streamClients],
    ['pennant_database_connections', 'Database connections of this process.', () => sources.pool().total],
    ['pennant_database_connections_idle', 'Those that nobody uses.', () => sources.pool().idle],
    ['pennant_database_requests_waiting', 'Callers that wait for one.', () => sources.pool().waiting],
  ]
  const { adminBotQueue } = sources
  const queue =
    adminBotQueue && (['pennant_adminbot_queue_depth', 'Admin-bot jobs that wait.', adminBotQueue] as const)
  for (const [name, help, read] of queue ? [...gauges, queue] : gauges) {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        this.set(await readOrNaN(read))
      },
    })
    registry.registerMetric(gauge)
  }
}

/** A store that is away must not hide the other series. */
async function readOrNaN(read: () => number | Promise<number>): Promise<number> {
  try {
    return await read()
  } catch {
    return Number.NaN
  }
}
