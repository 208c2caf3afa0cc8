import type { Config } from '../config/config.ts'
import { createMailSender } from '../features/accounts/mail.ts'
import { effectiveSettings } from '../features/settings/rules.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { startBloods } from './bloods.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** What one process at a time does: places, the outbox, retention. */
export async function startBackground(
  config: Config,
  stores: Stores,
  { email, bloodDestinations }: Providers,
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
  const senders = { ...(mail ? { mail } : {}), ...(message ? { message } : {}) }
  return startWorker({ db, bus: keyValue.bus, world, log, now, senders })
}
