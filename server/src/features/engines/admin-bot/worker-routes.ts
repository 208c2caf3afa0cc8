import { randomUUID } from 'node:crypto'
import {
  completeAdminBotJob,
  failAdminBotJob,
  goodAdminBotChallengeSource,
  goodAdminBotJobPull,
  goodAdminBotJobRenewed,
  goodAdminBotJobUpdate,
  goodAdminBotQueueDepth,
  pullAdminBotJob,
  readAdminBotQueue,
  readAdminBotSource,
  renewAdminBotJob,
} from '@pennant/contract/admin-bot-worker.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Report } from '../../../db/report.ts'
import { pulledJob } from './views.ts'
import {
  countQueued,
  findSource,
  finishJob,
  LEASE_MS,
  pullJob,
  renewLease,
  type FinishedJob,
} from './worker-store.ts'

export interface AdminBotWorkerDeps {
  readonly db: Database
  readonly now: () => number
  /** Number of logs kept per team and challenge. */
  readonly maxLogs: number
  /** Called after a team's job was queued, begun or finished. */
  readonly onJobChange: Report
}

/** Routes for admin bot workers. The worker token has already been checked. */
export function adminBotWorkerRoutes({ db, now, maxLogs, onJobChange }: AdminBotWorkerDeps): Endpoint[] {
  const finish = async (job: Omit<FinishedJob, 'at' | 'maxLogs'>) => {
    const owner = await finishJob(db, { ...job, at: now(), maxLogs })
    if (!owner) return badEndpoint()
    await onJobChange(owner)
    return goodAdminBotJobUpdate({ ok: true })
  }

  return [
    on(pullAdminBotJob, async ({ query }) => {
      const leaseToken = query.lease === undefined ? null : randomUUID()
      const job = await pullJob(db, { at: now(), leaseToken })
      if (job) await onJobChange(job)
      return goodAdminBotJobPull({ job: job && pulledJob(job) })
    }),

    on(readAdminBotSource, async ({ params: { id }, query: { revision } }) => {
      const source = await findSource(db, id, revision)
      if (!source) return badEndpoint()
      return goodAdminBotChallengeSource({ sourceCode: source.code, configRevision: source.revision })
    }),

    on(completeAdminBotJob, ({ params: { id }, body: { logs, lease } }) =>
      finish({ id, status: 'completed', logs, lease }),
    ),
    on(failAdminBotJob, ({ params: { id }, body: { logs, lease } }) =>
      finish({ id, status: 'failed', logs, lease }),
    ),
    on(renewAdminBotJob, async ({ params: { id }, body: { lease } }) =>
      (await renewLease(db, { id, lease, at: now() }))
        ? goodAdminBotJobRenewed({ milliseconds: LEASE_MS })
        : badEndpoint(),
    ),
    on(readAdminBotQueue, async () => goodAdminBotQueueDepth({ depth: await countQueued(db) })),
  ]
}
