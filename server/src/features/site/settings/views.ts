import type { Settings } from '@pennant/contract/admin-settings.ts'
import type { VisibilitySettings } from '@pennant/contract/visibility.ts'
import type { z } from 'zod'
import { definedOf } from '../../../lib/defined-of.ts'
import { NOT_SCHEDULED } from '../../../lib/event-times.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import { fieldsView, rulesView } from '../custom-fields/definitions.ts'
import { registrationRules } from './registration-rules.ts'
import type { EventSettings } from './rules.ts'
import { trackView } from './tracks.ts'

// Fields are listed explicitly, because the defaults object is the whole configuration, which includes
// secrets.

/** Only the keys that are overridden. */
export function overridesView(overrides: SettingsOverrides): z.input<typeof Settings> {
  const {
    ctfName,
    homeContent,
    startTime,
    endTime,
    freezeTime,
    resultsPublished,
    statisticsPublic,
    externalPictures,
    tracks,
    tracksLockAt,
    registrationMode,
    registrationOpensAt,
    registrationClosesAt,
    maxTeams,
    waitingList,
    faviconUrl,
    logoLightUrl,
    logoDarkUrl,
  } = overrides
  const { sponsors, meta, visibility, privacy, fields, eligibility } = overrides
  const view: z.input<typeof Settings> = {
    ctfName,
    homeContent,
    startTime,
    endTime,
    freezeTime,
    resultsPublished,
    statisticsPublic,
    externalPictures,
    tracks: tracks?.map(trackView),
    tracksLockAt,
    registrationMode,
    registrationOpensAt,
    registrationClosesAt,
    maxTeams,
    waitingList,
    visibility: visibility as VisibilitySettings | undefined,
    privacy,
    fields: fields && fieldsView(fields),
    eligibility: eligibility && rulesView(eligibility),
    sponsors: sponsors?.map(sponsorView),
    meta: meta && definedOf({ description: meta.description, imageUrl: meta.imageUrl }),
    faviconUrl,
    logoLightUrl,
    logoDarkUrl,
  }
  return definedOf(view)
}

/** The deployment's values for all keys; times that it does not set are absent. */
export function defaultsView(defaults: EventSettings): z.input<typeof Settings> {
  const { ctfName, homeContent, startTime, endTime, freezeTime, sponsors, meta, logoLightUrl, logoDarkUrl } =
    defaults
  return {
    ctfName,
    homeContent,
    ...(startTime < NOT_SCHEDULED ? { startTime } : {}),
    ...(endTime < NOT_SCHEDULED ? { endTime } : {}),
    ...(freezeTime == null ? {} : { freezeTime }),
    ...registrationDefaults(defaults),
    ...(Object.keys(defaults.visibility).length > 0 && { visibility: defaults.visibility }),
    ...(Object.keys(defaults.privacy ?? {}).length > 0 && { privacy: defaults.privacy }),
    ...fieldDefaults(defaults),
    sponsors: sponsors.map(sponsorView),
    meta: { description: meta.description, imageUrl: meta.imageUrl },
    ...(defaults.faviconUrl === null ? {} : { faviconUrl: defaults.faviconUrl }),
    logoLightUrl,
    logoDarkUrl,
  }
}

/** Only what the deployment asks for. */
function fieldDefaults({ fields = [], eligibility = [] }: EventSettings): z.input<typeof Settings> {
  return {
    ...(fields.length > 0 && { fields: fieldsView(fields) }),
    ...(eligibility.length > 0 && { eligibility: rulesView(eligibility) }),
  }
}

/** Only what the deployment sets. */
function registrationDefaults(defaults: EventSettings): z.input<typeof Settings> {
  const { mode, opensAt, closesAt, maxTeams, waitingList } = registrationRules(defaults, {})
  return {
    ...(mode !== 'open' && { registrationMode: mode }),
    ...(opensAt !== null && { registrationOpensAt: opensAt }),
    ...(closesAt !== null && { registrationClosesAt: closesAt }),
    ...(maxTeams !== null && { maxTeams }),
    ...(!waitingList && { waitingList }),
  }
}

function sponsorView({ name, icon, description, url }: EventSettings['sponsors'][number]) {
  return { name, icon, description, ...(url === undefined ? {} : { url }) }
}
