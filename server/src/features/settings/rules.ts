import type { SettingsPatch } from '@pennant/contract/admin-settings.ts'
import type { z } from 'zod'
import type { SettingsOverrides } from '../../world/model.ts'

export interface Sponsor {
  readonly name: string
  readonly icon: string
  readonly description: string
  readonly url?: string | undefined
}

/** The settings of the event that may be changed while it runs, all of them resolved. */
export interface EventSettings {
  readonly ctfName: string
  readonly homeContent: string
  readonly startTime: number
  readonly endTime: number
  readonly sponsors: readonly Sponsor[]
  readonly meta: { readonly description: string; readonly imageUrl: string }
  /** Null when the deployment has none. */
  readonly faviconUrl: string | null
  /** Empty when there is none. */
  readonly logoLightUrl: string
  readonly logoDarkUrl: string
}

/** Stored overrides over the deployment's defaults: by key, and within `meta` by its keys. Empty texts are values. */
export function effectiveSettings(defaults: EventSettings, overrides: SettingsOverrides): EventSettings {
  return {
    ctfName: overrides.ctfName ?? defaults.ctfName,
    homeContent: overrides.homeContent ?? defaults.homeContent,
    startTime: overrides.startTime ?? defaults.startTime,
    endTime: overrides.endTime ?? defaults.endTime,
    sponsors: overrides.sponsors ?? defaults.sponsors,
    meta: {
      description: overrides.meta?.description ?? defaults.meta.description,
      imageUrl: overrides.meta?.imageUrl ?? defaults.meta.imageUrl,
    },
    faviconUrl: overrides.faviconUrl ?? defaults.faviconUrl,
    logoLightUrl: overrides.logoLightUrl ?? defaults.logoLightUrl,
    logoDarkUrl: overrides.logoDarkUrl ?? defaults.logoDarkUrl,
  }
}

/** What an edit changes: absent keeps, null drops the override. */
export type SettingsChange = z.infer<typeof SettingsPatch>

/** The overrides after an edit. Each named key is replaced whole. */
export function patched(overrides: SettingsOverrides, change: SettingsChange): SettingsOverrides {
  const next = Object.entries({ ...overrides, ...change })
  return Object.fromEntries(next.filter(([, value]) => value !== null))
}
