import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Database } from '../db/database.ts'
import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import type { WorldView } from '../world/model.ts'
import { keepDoing, type Job } from './job.ts'
import { whileLeading } from './lease.ts'
import { outboxJob, type OutboxOptions, type Senders } from './outbox.ts'
import { placesJob } from './places-job.ts'
import { pruneChanges } from './prune-changes.ts'
import { pruneHistory } from './prune-history.ts'
import { pruneMarkers } from './prune-markers.ts'
import { pruneOutbox } from './prune-outbox.ts'
import { pruneRegistrations } from './prune-registrations.ts'
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
  /** What features have to do once, beside the worker's own. */
  readonly jobs?: readonly Job[]
  readonly leaseMs?: number
}

export interface Worker {
  /** Whether this process is the one that works now. */
  isLeading(): boolean
  /** Lets running sends end, then gives the lease up. */
  close(): Promise<void>
}

/** Nobody works this long after a crash: mail waits, answers do not. */
const leaseMsByDefault = 15_000

/** Does what must be done once, while this process holds the lease. */
export function startWorker(options: WorkerOptions): Worker {
  const { db, bus, log, leaseMs = leaseMsByDefault } = options
  const stop = new AbortController()
  let isLeading = false
  const jobs = jobsOf(options)

  const lease = { db, log, name: 'worker', holder: randomUUID(), ttlMs: leaseMs }
  const ended = whileLeading(lease, stop.signal, async (signal) => {
    // Each job listens, and perhaps what it runs: Node warns of a leak above ten.
    setMaxListeners(2 * jobs.length + 2, signal)
    isLeading = true
    await Promise.all(jobs.map((job) => keepDoing(job, { bus, log }, signal)))
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
    placesJob({ db, world }),
    outboxJob({ db, log, senders, ...(lifetimeMs && { lifetimeMs }) }),
    pruneJob('expired markers', pruneMarkers(db, now)),
    pruneJob('expired registrations', pruneRegistrations(db, now)),
    pruneJob('old changes', pruneChanges(db)),
    pruneJob('failed mail', pruneOutbox(db)),
    pruneJob('old deeds of admins', pruneHistory(db, 'admin_actions')),
    pruneJob('old settings', pruneHistory(db, 'settings_history')),
    ...jobs,
  ]
}
