import { hkdfSync } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { wakeOutbox } from '../features/people/accounts/mail.ts'
import type { MailingFrame } from '../features/people/mailings/render.ts'
import { mailingRoutes } from '../features/people/mailings/routes.ts'
import { effectiveSettings } from '../features/site/settings/rules.ts'
import type { Endpoint } from '../http/handler.ts'
import { createSealer } from '../lib/sealer.ts'
import { teamFilter } from './fields.ts'
import type { Stores } from './stores.ts'

/** What all mail of the deployment has in common. Null without mail. */
export function mailFrame(config: Config, { world }: Pick<Stores, 'world'>): MailingFrame | null {
  if (!config.email) return null
  const settings = () => {
    const { ctfName, logoLightUrl, logoDarkUrl } = effectiveSettings(config, world().settings)
    return { ctfName, logoUrl: config.email?.logoUrl || logoLightUrl || logoDarkUrl || undefined }
  }
  const { seal } = unsubscribeSealer(config)
  return { settings, origin: config.origin, from: config.email.from, seal }
}

/** With its own key, so that a link is good for nothing else. */
function unsubscribeSealer({ tokenKey }: Config) {
  return createSealer(Buffer.from(hkdfSync('sha256', tokenKey, '', 'pennant unsubscribe links', 32)))
}

export function mailingEndpoints(config: Config, stores: Stores): Endpoint[] {
  const { db, world, now, log, keyValue } = stores
  const frame = mailFrame(config, stores)
  const sealer = unsubscribeSealer(config)
  return mailingRoutes({
    db,
    world,
    now,
    mail: frame && { frame, perMinute: config.email?.perMinute ?? 1 },
    openUnsubscribe: (token) => sealer.open(token),
    fieldFilter: teamFilter(config, stores),
    wakeOutbox: () => wakeOutbox({ bus: keyValue.bus, log }),
  })
}
