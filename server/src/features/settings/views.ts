import type { Settings } from '@pennant/contract/admin-settings.ts'
import type { z } from 'zod'
import type { SettingsOverrides } from '../../world/model.ts'
import type { EventSettings } from './rules.ts'

// Every field is named: the defaults come with the whole configuration around them, secrets among it.

/** Only what is overridden. */
export function overridesView(overrides: SettingsOverrides): z.input<typeof Settings> {
  const { ctfName, homeContent, startTime, endTime, faviconUrl, logoLightUrl, logoDarkUrl } = overrides
  const { sponsors, meta } = overrides
  const view: z.input<typeof Settings> = {
    ctfName,
    homeContent,
    startTime,
    endTime,
    sponsors: sponsors?.map(sponsorView),
    meta: meta && present({ description: meta.description, imageUrl: meta.imageUrl }),
    faviconUrl,
    logoLightUrl,
    logoDarkUrl,
  }
  return present(view)
}

/** What the deployment sets, for all keys. */
export function defaultsView(defaults: EventSettings): z.input<typeof Settings> {
  const { ctfName, homeContent, startTime, endTime, sponsors, meta, logoLightUrl, logoDarkUrl } = defaults
  return {
    ctfName,
    homeContent,
    startTime,
    endTime,
    sponsors: sponsors.map(sponsorView),
    meta: { description: meta.description, imageUrl: meta.imageUrl },
    ...(defaults.faviconUrl === null ? {} : { faviconUrl: defaults.faviconUrl }),
    logoLightUrl,
    logoDarkUrl,
  }
}

function sponsorView({ name, icon, description, url }: EventSettings['sponsors'][number]) {
  return { name, icon, description, ...(url === undefined ? {} : { url }) }
}

/** Without the keys that have no value. */
function present<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
