import type { Config } from '../config/config.ts'
import { createMailSender } from '../features/accounts/mail.ts'
import { createFileRemover } from '../features/avatars/remover.ts'
import { returnExpired } from '../features/admin-bot/worker-store.ts'
import { effectiveSettings } from '../features/settings/rules.ts'
import type { Job } from '../worker/job.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { startBloods } from './bloods.ts'
import { instanceJobs } from './house.ts'
import type { Providers } from './providers.ts'
import { mailLifetimeMs } from '../features/accounts/mail.ts'
import type { Stores } from './stores.ts'

/** What one process at a time does: places, the outbox, retention. */
export async function startBackground(
  config: Config,
  stores: Stores,
  { email, bloodDestinations, adminBot, instancers, uploads }: Providers,
): Promise<Worker> {
  const { db, world, log, now, keyValue } = stores
  const settings = () => {
    const { ctfName, logoLightUrl, logoDarkUrl } = effectiveSettings(config, world().settings)
    return { ctfName, logoUrl: config.email?.logoUrl || logoLightUrl || logoDarkUrl || undefined }
  }
  const mail =
    email && config.email
      ? createMailSender({ email, settings, origin: config.origin, from: config.email.from })
      : null
  const message = await startBloods(config, db, bloodDestinations)
  const file = createFileRemover(uploads)
  const senders = { file, ...(mail ? { mail } : {}), ...(message ? { message } : {}) }
  const jobs = [...(adminBot ? [returnVisits(stores)] : []), ...instanceJobs(config, stores, { instancers })]
  const lifetimeMs = (kind: string, payload: unknown) =>
    kind === 'mail' ? mailLifetimeMs(payload, config.loginTimeout) : Infinity
  return startWorker({ db, bus: keyValue.bus, world, log, now, senders, lifetimeMs, jobs })
}

/** Often enough for a team that looks at its place; pulling returns them too, but dead workers do not pull. */
const RETURN_VISITS_MS = 5_000

function returnVisits({ db, now, log }: Stores): Job {
  return {
    name: 'visits of dead workers',
    everyMs: RETURN_VISITS_MS,
    async run() {
      const jobs = await returnExpired(db, now())
      if (jobs > 0) log.warn({ jobs }, 'workers of the admin bot are gone; their jobs are queued again')
    },
  }
}
