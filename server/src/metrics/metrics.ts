import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { readRelease } from '../lib/release.ts'
import { addCacheMetrics, type CacheSource } from './caches.ts'
import { addInstanceMetrics, type InstanceMetrics, type InstanceSources } from './instances.ts'
import { mergedText, type GatherMetrics } from './of-processes.ts'
import { requestCounters } from './requests.ts'

/** Gauge sources, read at each scrape. A source that fails is reported as NaN. */
export interface MetricSources {
  /** Process metrics: memory, CPU, event loop. Only once per process, because their observers cannot be removed. */
  readonly ofProcess: boolean
  /** If other processes serve the same port: a scrape reaches one of them and reports all. */
  readonly gather: GatherMetrics | null
  /** Lag of this process's world behind the database. */
  readonly boardStalenessMs: () => number
  readonly worldTeams: () => number
  readonly outboxPending: () => number | Promise<number>
  /** Unix seconds of the last good backup. Absent without a schedule. */
  readonly lastBackup?: () => number
  /** Absent without an admin bot. */
  readonly adminBotQueue?: () => number | Promise<number>
  /** Absent without instances. */
  readonly instances?: InstanceSources
  readonly connections: () => number
  /** How much is refused because of load: 0 to 3.5. */
  readonly overload: () => number
  /** Services whose calls are refused for now. */
  readonly openCircuits: () => readonly string[]
  readonly caches: CacheSource
  /** Bytes of request bodies in memory. */
  readonly bodyBytes: () => number
  readonly pool: () => { readonly total: number; readonly idle: number; readonly waiting: number }
}

/** Each sample wakes the process. */
const EVENT_LOOP_SAMPLE_MS = 20

export interface Metrics {
  /** Returns what counts the responses of a route. */
  requestsOf(method: string, route: string): (status: number, ms: number) => void
  submissionJudged(result: string): void
  solveRecorded(): void
  boardFolded(ms: number): void
  /** A group commit of submissions. */
  submissionsCommitted(rows: number, ms: number): void
  changeLocked(waitMs: number): void
  rateLimited(bucket: string): void
  /** A name of another platform that a request used. */
  aliasUsed(alias: string): void
  bodyRefused(reason: 'budget' | 'late' | 'chunks'): void
  connectionRefused(reason: string): void
  /** A request refused because of load. */
  requestShed(rank: string): void
  readonly instanceStarted: InstanceMetrics['started']
  readonly instancerCalled: InstanceMetrics['called']
  readonly contentType: string
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
}

/** A fold takes 0.1 ms; a rebuild of a large contest takes a second. */
const FOLD_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1]

/** From one submission to the largest batch. */
const BATCH_ROWS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
/** From a commit on a fast disk to the timeout of the lock. */
const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The metrics of one process, in their own registry. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  addGauges(registry, sources)
  const instances = sources.instances && addInstanceMetrics(registry, sources.instances)
  const registers = [registry]
  const submissions = new Counter({
    name: 'pennant_submissions_total',
    help: 'Flag submissions by result.',
    labelNames: ['result'] as const,
    registers,
  })
  const solves = new Counter({ name: 'pennant_solves_total', help: 'Solves recorded.', registers })
  const limited = new Counter({
    name: 'pennant_rate_limited_total',
    help: 'Requests rejected by a rate limit.',
    labelNames: ['bucket'] as const,
    registers,
  })
  const aliases = new Counter({
    name: 'pennant_alias_requests_total',
    help: 'Requests that used names of rCTF, by name.',
    labelNames: ['alias'] as const,
    registers,
  })
  const bodies = new Counter({
    name: 'pennant_http_bodies_refused_total',
    help: 'Request bodies rejected before they were complete: memory budget exhausted, sent too slowly, or in tiny chunks.',
    labelNames: ['reason'] as const,
    registers,
  })
  const connections = new Counter({
    name: 'pennant_http_connections_refused_total',
    help: 'Connections closed by a limit: total, per address, or pipelined requests.',
    labelNames: ['reason'] as const,
    registers,
  })
  const shed = new Counter({
    name: 'pennant_http_requests_shed_total',
    help: 'Requests refused early because the process could not keep up, by rank.',
    labelNames: ['rank'] as const,
    registers,
  })
  const folds = new Histogram({
    name: 'pennant_board_fold_seconds',
    help: 'Time to apply one batch of changes to the scoreboard.',
    buckets: FOLD_SECONDS,
    registers,
  })
  const writes = addWriteMetrics(registry)
  addBuildInfo(registry)
  addCircuits(registry, sources.openCircuits)
  addCacheMetrics(registry, sources.caches)
  return {
    ...writes,
    requestsOf: requestCounters(registry),
    submissionJudged: (result) => submissions.inc({ result }),
    solveRecorded: () => solves.inc(),
    boardFolded: (ms) => folds.observe(ms / 1000),
    rateLimited: (bucket) => limited.inc({ bucket }),
    aliasUsed: (alias) => aliases.inc({ alias }),
    bodyRefused: (reason) => bodies.inc({ reason }),
    connectionRefused: (reason) => connections.inc({ reason }),
    requestShed: (rank) => shed.inc({ rank }),
    instanceStarted: (result, ms) => instances?.started(result, ms),
    instancerCalled: (call) => instances?.called(call),
    contentType: registry.contentType,
    text: textOf(registry, sources),
  }
}

/**
 * Process metrics begin with the first scrape: sampling the event loop is most of what an idle server costs, and few
 * deployments look at it.
 */
function textOf(registry: Registry, { ofProcess, gather }: MetricSources): () => Promise<string> {
  let isStarted = !ofProcess
  const start = () => {
    if (isStarted) return
    isStarted = true
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS })
  }
  if (!gather) return () => (start(), registry.metrics())
  const readAll = gather(() => (start(), registry.getMetricsAsJSON()))
  return async () => mergedText(await readAll())
}

function addWriteMetrics(registry: Registry): Pick<Metrics, 'submissionsCommitted' | 'changeLocked'> {
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers: [registry] })
  const rows = histogram('pennant_commit_rows', 'Submissions per group commit.', BATCH_ROWS)
  const seconds = histogram(
    'pennant_commit_seconds',
    'Duration of a group commit of submissions.',
    WAIT_SECONDS,
  )
  const lock = histogram(
    'pennant_change_lock_wait_seconds',
    'Time that a change waits for a database connection and the change lock.',
    WAIT_SECONDS,
  )
  return {
    submissionsCommitted(count, ms) {
      rows.observe(count)
      seconds.observe(ms / 1000)
    },
    changeLocked: (waitMs) => lock.observe(waitMs / 1000),
  }
}

function addCircuits(registry: Registry, openCircuits: () => readonly string[]): void {
  const gauge = new Gauge({
    name: 'pennant_circuit_open',
    help: 'Services that failed several times in a row, so that calls are refused for now: 1 each.',
    labelNames: ['service'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const service of openCircuits()) this.set({ service }, 1)
    },
  })
  registry.registerMetric(gauge)
}

/** Constant 1: its labels show what each process runs, for example during an update. */
function addBuildInfo(registry: Registry): void {
  const info = new Gauge({
    name: 'pennant_build_info',
    help: 'Versions of Pennant and Node that this process runs.',
    labelNames: ['version', 'node'] as const,
    registers: [registry],
  })
  info.set({ version: readRelease().version, node: process.versions.node }, 1)
}

function addGauges(registry: Registry, sources: MetricSources): void {
  const gauges: [name: string, help: string, read: () => number | Promise<number>][] = [
    [
      'pennant_board_staleness_seconds',
      'How far the scoreboard of this process is behind the database.',
      () => sources.boardStalenessMs() / 1000,
    ],
    ['pennant_world_teams', 'Teams loaded in this process.', sources.worldTeams],
    ['pennant_outbox_pending', 'Emails and messages queued in the outbox.', sources.outboxPending],
    ['pennant_http_connections', 'Open HTTP connections of this process.', sources.connections],
    [
      'pennant_http_overload_level',
      'What is refused because the process cannot keep up: 0 nothing, 1 anonymous reads, 2 all reads, 3 all but flags.',
      sources.overload,
    ],
    ['pennant_http_body_bytes', 'Bytes of request bodies held in memory.', sources.bodyBytes],
    ['pennant_database_connections', 'Database connections of this process.', () => sources.pool().total],
    [
      'pennant_database_connections_idle',
      'Idle database connections of this process.',
      () => sources.pool().idle,
    ],
    [
      'pennant_database_requests_waiting',
      'Queries waiting for a database connection.',
      () => sources.pool().waiting,
    ],
  ]
  const { adminBotQueue, lastBackup } = sources
  if (lastBackup)
    gauges.push([
      'pennant_backup_last_success_timestamp_seconds',
      'Snapshot time of the last good backup.',
      lastBackup,
    ])
  const queue =
    adminBotQueue && (['pennant_adminbot_queue_depth', 'Queued admin-bot jobs.', adminBotQueue] as const)
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

/** An unavailable datastore must not hide the other metrics. */
async function readOrNaN(read: () => number | Promise<number>): Promise<number> {
  try {
    return await read()
  } catch {
    return Number.NaN
  }
}
