import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { Config } from '../config/config.ts'
import { caseRoutes } from '../features/organisers/fair-play/cases/routes.ts'
import { signalsJob } from '../features/organisers/fair-play/job.ts'
import { createReceipts, type Receipts } from '../features/organisers/fair-play/receipts.ts'
import { fairPlayRoutes } from '../features/organisers/fair-play/routes.ts'
import { retentionOf } from '../features/people/personal-data/rules.ts'
import type { Endpoint } from '../http/handler.ts'
import type { Job } from '../worker/job.ts'
import type { Stores } from './stores.ts'

export function fairPlayEndpoints({ db, world, now }: Stores): Endpoint[] {
  return [...fairPlayRoutes({ db, world }), ...caseRoutes({ db, world, now })]
}

export function fairPlayJob(config: Config, { db, world, now }: Stores): Job {
  return signalsJob({
    db,
    world,
    now,
    isErased() {
      const { eraseAt } = retentionOf(config, world().settings)
      return eraseAt !== null && now() >= eraseAt
    },
  })
}

/** As often as the worker runs; a process that is killed forgets this much. */
const FLUSH_MS = 5 * SECOND_MS

/** Every process that serves players writes what it noted. */
export function openReceipts({ db, log, now }: Stores): Receipts & AsyncDisposable {
  const receipts = createReceipts(now)
  const flush = () =>
    receipts
      .flush(db)
      .catch((error: unknown) => log.warn({ err: error }, 'could not store receipts; retrying'))
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(flush)
  }, FLUSH_MS)
  timer.unref()
  return {
    ...receipts,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
