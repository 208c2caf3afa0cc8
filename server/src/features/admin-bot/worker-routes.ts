import {
  completeAdminBotJob,
  failAdminBotJob,
  goodAdminBotChallengeSource,
  goodAdminBotJobPull,
  goodAdminBotJobUpdate,
  goodAdminBotQueueDepth,
  pullAdminBotJob,
  readAdminBotQueue,
  readAdminBotSource,
} from '@pennant/contract/admin-bot-worker.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import type { Database } from '../../db/database.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import { pulledJob } from './views.ts'
import { countQueued, findSource, finishJob, pullJob } from './worker-store.ts'

export interface AdminBotWorkerDeps {
  readonly db: Database
  readonly now: () => number
  /** Logs kept of a team on a challenge. */
  readonly maxLogs: number
}

/** What workers ask for. That the caller is one was found out before. */
export function adminBotWorkerRoutes({ db, now, maxLogs }: AdminBotWorkerDeps): Endpoint[] {
  const finish = async (id: string, status: 'completed' | 'failed', logs: string | undefined) =>
    (await finishJob(db, { id, status, logs, at: now(), maxLogs }))
      ? goodAdminBotJobUpdate({ ok: true })
      : badEndpoint()

  return [
    on(pullAdminBotJob, async () => {
      const job = await pullJob(db, now())
      return goodAdminBotJobPull({ job: job && pulledJob(job) })
    }),

    on(readAdminBotSource, async ({ params: { id }, query: { revision } }) => {
      const source = await findSource(db, id, revision)
      if (!source) return badEndpoint()
      return goodAdminBotChallengeSource({ sourceCode: source.code, configRevision: source.revision })
    }),

    on(completeAdminBotJob, ({ params: { id }, body: { logs } }) => finish(id, 'completed', logs)),
    on(failAdminBotJob, ({ params: { id }, body: { logs } }) => finish(id, 'failed', logs)),
    on(readAdminBotQueue, async () => goodAdminBotQueueDepth({ depth: await countQueued(db) })),
  ]
}
