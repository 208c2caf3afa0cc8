import { resolve } from 'node:path'
import { backupJob } from '../ops/backup/job.ts'
import { keysOf } from '../ops/backup/manifest.ts'
import { configuredEncryption, configuredSigningKey } from '../ops/backup/passphrase.ts'
import type { Config } from '../config/config.ts'
import { archivedConfig } from '../config/event-values.ts'
import type { Uploads } from '../providers/uploads/uploads.ts'
import { createMailSender } from '../features/people/accounts/mail.ts'
import { createMailingSender } from '../features/people/mailings/sender.ts'
import { createFileRemover } from '../features/people/avatars/remover.ts'
import { pushLogJob } from '../features/contest/feeds/push-log.ts'
import { returnExpired } from '../features/engines/admin-bot/worker-store.ts'
import { freePlaces } from '../features/people/registration/places.ts'
import { registrationRules } from '../features/site/settings/registration-rules.ts'
import type { Job } from '../worker/job.ts'
import type { QueueDepths } from '../worker/queue-depths.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { startBloods } from './bloods.ts'
import { questionSenders } from './questions.ts'
import { instanceJobs } from './instance-runtime.ts'
import { kindJobs, kindSenders } from './kinds.ts'
import { mailFrame } from './mailings.ts'
import { fairPlayJob } from './fair-play.ts'
import { personalDataJob } from './personal-data.ts'
import type { Providers } from './providers.ts'
import { mailLifetimeMs } from '../features/people/accounts/mail.ts'
import { tracedSenders } from '../tracing/traced.ts'
import type { Stores } from './stores.ts'

/** Background jobs that one process at a time runs: recording the ranks of solves, the outbox, retention. */
export async function startBackground(
  config: Config,
  stores: Stores,
  {
    email,
    bloodDestinations,
    questionDestinations,
    adminBot,
    instancers,
    uploads,
    queueDepths,
  }: Providers & { readonly queueDepths: QueueDepths },
): Promise<Worker> {
  const { db, world, log, now, keyValue } = stores
  const frame = mailFrame(config, stores)
  const mails = email &&
    frame && { mail: createMailSender({ email, ...frame }), mailing: createMailingSender(db, email, frame) }
  const messages = await startBloods(config, stores, {
    destinations: bloodDestinations,
    others: kindSenders,
  })
  const questions = questionSenders(config, stores, questionDestinations)
  const file = createFileRemover(uploads)
  const untraced = { file, ...mails, ...messages, ...questions }
  const senders = stores.tracing ? tracedSenders(untraced, stores.tracing) : untraced
  const jobs = [
    queueDepths.job,
    ...kindJobs(stores),
    freePlaces({
      db,
      rules: () => registrationRules(config, world().settings),
      mails: mails && { tokenOf: stores.tokens.issueTeam },
      log,
    }),
    pushLogJob({ db, now }),
    personalDataJob(config, stores),
    fairPlayJob(config, stores),
    ...(config.backup.schedule > 0 ? [await scheduledBackups(config, stores, uploads)] : []),
    ...(adminBot ? [returnVisits(stores)] : []),
    ...instanceJobs(stores, { instancers }),
  ]
  const lifetimeMs = (kind: string, payload: unknown) =>
    kind === 'mail' ? mailLifetimeMs(payload, config.loginTimeout) : Infinity
  return startWorker({ db, bus: keyValue.bus, world, log, now, senders, lifetimeMs, jobs })
}

async function scheduledBackups(
  config: Config,
  { db, log, now, fetch }: Stores,
  uploads: Uploads,
): Promise<Job> {
  const { schedule: everyMs, retention, folder } = config.backup
  const context = { fetch, log, now, dataDir: config.dataDir }
  const source = {
    uploads: uploads.contents,
    keys: keysOf(config),
    config: await archivedConfig(config, 'hidden'),
    hasSecrets: false,
  }
  return backupJob({
    db,
    log,
    now,
    everyMs,
    retention,
    folder: resolve(config.dataDir, folder),
    encryption: () => configuredEncryption(config.backup),
    signingKey: () => configuredSigningKey(config.backup),
    store: (await config.backup.store?.start(context)) ?? null,
    source,
  })
}

/**
 * Frequent enough for a team that watches its queue position. Pulling requeues expired jobs too, but dead
 * workers do not pull.
 */
const RETURN_VISITS_MS = 5_000

function returnVisits({ db, now, log }: Stores): Job {
  return {
    name: 'visits of dead workers',
    everyMs: RETURN_VISITS_MS,
    async run() {
      const jobs = await returnExpired(db, now())
      if (jobs > 0) log.warn({ jobs }, 'admin-bot leases expired; their jobs are queued again')
    },
  }
}
