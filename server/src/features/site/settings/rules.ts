import type { SettingsPatch } from '@pennant/contract/admin-settings.ts'
import type { VisibilitySettings } from '@pennant/contract/visibility.ts'
import type { z } from 'zod'
import { effectiveTimes, freezeTimeOf, isScheduled } from '../../../lib/event-times.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import type { FieldDefaults } from '../custom-fields/definitions.ts'
import type { RegistrationDefaults } from './registration-rules.ts'
import { effectiveVisibility } from '../../contest/visibility/rules.ts'

export interface Sponsor {
  readonly name: string
  readonly icon: string
  readonly description: string
  readonly url?: string | undefined
}

/** Event settings that can be changed at runtime, with all defaults applied. */
export interface EventSettings extends RegistrationDefaults, FieldDefaults {
  readonly ctfName: string
  readonly homeContent: string
  readonly startTime: number
  readonly endTime: number
  /** Null or absent without a freeze. */
  readonly freezeTime?: number | null | undefined
  readonly sponsors: readonly Sponsor[]
  readonly meta: { readonly description: string; readonly imageUrl: string }
  /** Null if the deployment has none. */
  readonly faviconUrl: string | null
  /** Who sees which part of the event. */
  readonly visibility: VisibilitySettings
  /** Who is responsible for personal data, and when it is erased. */
  readonly privacy?: SettingsOverrides['privacy']
  /** Empty if there is none. */
  readonly logoLightUrl: string
  readonly logoDarkUrl: string
}

/**
 * Merges stored overrides over the deployment's defaults, by key and within `meta` by its keys. Empty strings
 * are values.
 */
export function effectiveSettings(defaults: EventSettings, overrides: SettingsOverrides): EventSettings {
  return {
    ctfName: overrides.ctfName ?? defaults.ctfName,
    homeContent: overrides.homeContent ?? defaults.homeContent,
    ...effectiveTimes(defaults, overrides),
    freezeTime: freezeTimeOf(defaults.freezeTime, overrides),
    visibility: effectiveVisibility(defaults.visibility, overrides),
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

/** An origin for each sponsor would make a header that proxies refuse. */
const MAX_ORIGINS = 20

/** Where pictures in texts may be besides the site. `uploads` is the origin of uploaded files, if it is another one. */
export function pictureSources({ externalPictures }: SettingsOverrides, uploads: string | null): string[] {
  return [...(uploads === null ? [] : [uploads]), ...(externalPictures ? ['https:'] : [])]
}

/**
 * Also where organisers' logos and sponsors are, and avatars that an earlier file store has: the sources of all pictures of
 * the site.
 */
export function sitePictureSources(
  inTexts: readonly string[],
  settings: EventSettings,
  avatars: Iterable<string | null>,
): string[] {
  const { logoLightUrl, logoDarkUrl, faviconUrl, sponsors } = settings
  const addresses = [logoLightUrl, logoDarkUrl, faviconUrl ?? '', ...sponsors.map(({ icon }) => icon)]
  const origins = addresses.flatMap((address) =>
    /^https:/i.test(address) && URL.canParse(address) ? [new URL(address).origin] : [],
  )
  const all = new Set([...inTexts, ...origins, ...originsOfAvatars(avatars)])
  if (all.size <= MAX_ORIGINS && !all.has('https:')) return [...all]
  // A store in the network of the organisers may have no TLS.
  const others = [...all].filter((source) => source.startsWith('http:'))
  return ['https:', ...others.slice(0, MAX_ORIGINS)]
}

/** The file store made their addresses, so they have the form that URLs write. Most are paths of the site. */
function originsOfAvatars(avatars: Iterable<string | null>): ReadonlySet<string> {
  const origins = new Set<string>()
  for (const avatar of avatars) {
    const origin = avatar === null ? null : /^https?:\/\/[^/\s;,]+/.exec(avatar)
    if (origin) origins.add(origin[0])
  }
  return origins
}

/** What is wrong with the times of an event. They can be set one by one, so no single change is to blame. */
export function timeWarnings({ startTime, endTime, freezeTime = null }: EffectiveTimes): string[] {
  const warnings: string[] = []
  if (!isScheduled({ startTime })) return warnings
  if (endTime <= startTime)
    warnings.push(
      `The event ends at ${iso(endTime)}, not after its start at ${iso(startTime)}, so no one can submit a flag. Set endTime after startTime.`,
    )
  else if (freezeTime !== null && (freezeTime <= startTime || freezeTime >= endTime))
    warnings.push(
      `The standings freeze at ${iso(freezeTime)}, which is not between the start and the end of the event. Set freezeTime between them.`,
    )
  return warnings
}

const iso = (at: number) => new Date(at).toISOString()

type EffectiveTimes = Pick<EventSettings, 'startTime' | 'endTime' | 'freezeTime'>

/** Changes of an edit: an absent key keeps the override, null removes it. */
export type SettingsChange = z.infer<typeof SettingsPatch>

/** The overrides after an edit. Each given key is replaced as a whole. */
export function patched(overrides: SettingsOverrides, change: SettingsChange): SettingsOverrides {
  // A new freeze is one whose results are not published yet.
  const isNewFreeze = change.freezeTime != null && change.freezeTime !== overrides.freezeTime
  const published = isNewFreeze && change.resultsPublished === undefined ? { resultsPublished: null } : {}
  const next = Object.entries({ ...overrides, ...change, ...published })
  return Object.fromEntries(next.filter(([, value]) => value !== null))
}
