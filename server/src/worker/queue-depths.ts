import { readLastBackup } from '../db/backups.ts'
import { countPending } from '../db/outbox.ts'
import type { Queries } from '../db/database.ts'
import { countQueued } from '../features/engines/admin-bot/worker-store.ts'
import type { Job } from './job.ts'

/** Lengths of the queues in the database at the last count. NaN when this process is not the worker. */
export interface QueueDepths {
  readonly outbox: () => number
  readonly adminBot: () => number
  /** Unix seconds of the last good backup; NaN without one. */
  readonly lastBackup: () => number
  /** Counts them while this process is the worker. */
  readonly job: Job
}

/** The usual scrape interval. */
const COUNT_EVERY_MS = 15_000
const NONE = { outbox: Number.NaN, adminBot: Number.NaN, lastBackup: Number.NaN }

/** The worker counts on its own schedule, so that a metrics scrape never runs a query. */
export function createQueueDepths(db: Queries): QueueDepths {
  let counted = NONE
  return {
    outbox: () => counted.outbox,
    adminBot: () => counted.adminBot,
    lastBackup: () => counted.lastBackup,
    job: {
      name: 'queue depths',
      everyMs: COUNT_EVERY_MS,
      async run() {
        const lastBackup = ((await readLastBackup(db)) ?? Number.NaN) / 1000
        counted = { outbox: await countPending(db), adminBot: await countQueued(db), lastBackup }
      },
      async end() {
        counted = NONE
      },
    },
  }
}
