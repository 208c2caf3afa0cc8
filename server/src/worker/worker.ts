import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Database } from '../db/database.ts'
import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import type { WorldView } from '../world/model.ts'
import { runPeriodically, type Job } from './job.ts'
import { whileLeading } from './lease.ts'
import { outboxJob, type OutboxOptions, type Senders } from './outbox.ts'
import { ranksJob } from './ranks-job.ts'
import { actionsHeadJob } from './log-actions-head.ts'
import { pruneChanges } from './prune-changes.ts'
import {
  pruneDecidedRegistrations,
  pruneMarkers,
  pruneOutbox,
  pruneRegistrations,
  pruneSessions,
} from './prune-expired.ts'
import { pruneHistory } from './prune-history.ts'
import { pruneJob } from './prune.ts'

export interface WorkerOptions {
  readonly db: Database
  readonly bus: Bus
  readonly world: () => WorldView
  readonly log: Log
  readonly now: () => number
  /** By kind of outbox row. */
  readonly senders: Senders
  readonly lifetimeMs?: OutboxOptions['lifetimeMs']
  /** Jobs of features, in addition to the worker's own. */
  readonly jobs?: readonly Job[]
  readonly leaseMs?: number
}

export interface Worker {
  /** Whether this process is the worker now. */
  isLeading(): boolean
  /** Waits for running sends, then releases the lease. */
  close(): Promise<void>
}

/** Maximum time without a worker after a crash: it delays mail, not responses. */
const DEFAULT_LEASE_MS = 15_000

/** Runs the jobs that need a single process, while this process holds the lease. */
export function startWorker(options: WorkerOptions): Worker {
  const { db, bus, log, leaseMs = DEFAULT_LEASE_MS } = options
  const stop = new AbortController()
  let isLeading = false
  const jobs = jobsOf(options)

  const lease = { db, log, name: 'worker', holder: randomUUID(), ttlMs: leaseMs }
  const ended = whileLeading(lease, stop.signal, async (signal) => {
    // Each job, and possibly its work, adds a listener; Node warns of a leak above ten.
    setMaxListeners(2 * jobs.length + 2, signal)
    isLeading = true
    await Promise.all(jobs.map((job) => runPeriodically(job, { bus, log }, signal)))
    isLeading = false
  })

  return {
    isLeading: () => isLeading,
    async close() {
      stop.abort()
      await ended
    },
  }
}

function jobsOf({ db, world, log, now, senders, lifetimeMs, jobs = [] }: WorkerOptions): Job[] {
  return [
    ranksJob({ db, world }),
    outboxJob({ db, log, senders, ...(lifetimeMs && { lifetimeMs }) }),
    pruneJob('expired markers', pruneMarkers(db, now)),
    pruneJob('expired registrations', pruneRegistrations(db, now)),
    pruneJob('decided registrations', pruneDecidedRegistrations(db)),
    pruneJob('expired sessions', pruneSessions(db, now)),
    pruneJob('old changes', pruneChanges(db)),
    pruneJob('failed mail', pruneOutbox(db)),
    actionsHeadJob(db, log),
    pruneJob('old admin actions', pruneHistory(db, 'admin_actions')),
    pruneJob('old settings', pruneHistory(db, 'settings_history')),
    ...jobs,
  ]
}
