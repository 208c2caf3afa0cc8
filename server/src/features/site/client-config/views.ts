import type {
  ClientConfigV1,
  ClientConfigV2,
  ProtectedActions,
  PublicPeople,
} from '@pennant/contract/client-config.ts'
import type { PublicDemo } from '@pennant/contract/public-demo.ts'
import type { CaptchaAction } from '@pennant/contract/route.ts'
import type { z } from 'zod'
import { isScheduled, type EventTimes } from '../../../lib/event-times.ts'
import type { RegistrationRules } from '../settings/registration-rules.ts'
import type { EventSettings } from '../settings/rules.ts'
import type { WorldView } from '../../../world/model.ts'
import { trackView } from '../settings/tracks.ts'

type Options = Readonly<Record<string, string>>

/** Deployment settings that clients may see. Nothing here is secret: every client gets all of it. */
export interface PublicDeployment {
  readonly origin: string
  /** Id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** As configured, without the fallback. */
  readonly defaultDivision: string | null
  readonly userMembers: boolean
  readonly emailEnabled: boolean
  readonly registrationsEnabled: boolean | null
  readonly flagFormatPlaceholder: string
  readonly instancerEnabled: boolean
  readonly adminBotEnabled: boolean
  readonly extrank: {
    readonly clientId: string
    readonly authorizeUrl: string
    /** Absent for the usual one. */
    readonly callbackPath?: string | undefined
  } | null
  readonly analytics: { readonly provider: string; readonly publicOptions: Options } | null
  /** The legacy configuration key, if it is set. */
  readonly globalSiteTag: string | null
  readonly captcha: PublicCaptcha | null
  /** Where uploaded files are, if not on the site. */
  readonly uploadsOrigin: string | null
  readonly publicDemo?: z.input<typeof PublicDemo> | undefined
  /** Absent if the event has teams only. */
  readonly people?: z.input<typeof PublicPeople> | undefined
}

export interface PublicCaptcha {
  readonly provider: string
  readonly publicOptions: Options
  readonly protectedActions: readonly CaptchaAction[]
}

/** Providers that V1 describes in fields of their own. */
const LEGACY_CAPTCHA = 'captcha/recaptcha'
const LEGACY_ANALYTICS = 'analytics/google'

/** V1 omits unset fields, V2 sets them to null. */
export function clientConfigV1(
  settings: EventSettings,
  deployment: PublicDeployment,
): z.input<typeof ClientConfigV1> {
  const { defaultDivision, registrationsEnabled, extrank } = deployment
  const { faviconUrl } = settings
  const globalSiteTag = siteTagOf(deployment)
  const legacyCaptcha = legacyCaptchaOf(deployment.captcha)
  return {
    ...eventFields(settings, deployment),
    ...(defaultDivision === null ? {} : { defaultDivision }),
    ...(registrationsEnabled === null ? {} : { registrationsEnabled }),
    ...(faviconUrl === null ? {} : { faviconUrl }),
    ...(extrank === null ? {} : { extrank: { clientId: extrank.clientId } }),
    ...(globalSiteTag === null ? {} : { globalSiteTag }),
    ...(legacyCaptcha === null ? {} : { legacyCaptcha }),
  }
}

export function clientConfigV2(
  settings: EventSettings,
  deployment: PublicDeployment,
): z.input<typeof ClientConfigV2> {
  const { extrank, analytics, captcha, publicDemo, people } = deployment
  return {
    ...eventFields(settings, deployment),
    defaultDivision: deployment.defaultDivision,
    registrationsEnabled: deployment.registrationsEnabled,
    faviconUrl: settings.faviconUrl,
    logoLightUrl: settings.logoLightUrl || null,
    logoDarkUrl: settings.logoDarkUrl || null,
    extrank: extrank && rankingSiteOf(extrank),
    flagFormatPlaceholder: deployment.flagFormatPlaceholder,
    analytics: analytics && { provider: analytics.provider, publicOptions: { ...analytics.publicOptions } },
    captcha: captcha && {
      provider: captcha.provider,
      publicOptions: { ...captcha.publicOptions },
      protectedEndpoints: protectedEndpoints(captcha.protectedActions),
    },
    instancerEnabled: deployment.instancerEnabled,
    ...(deployment.adminBotEnabled && { adminBotEnabled: true as const }),
    isArchived: false,
    ...(publicDemo && { publicDemo }),
    ...(people && { people }),
  }
}

/** Absent while everyone can register. */
export function registrationView(
  { mode, opensAt, closesAt, waitingList }: RegistrationRules,
  isFull: boolean,
): Pick<z.input<typeof ClientConfigV2>, 'registration'> {
  if (mode === 'open' && opensAt === null && closesAt === null && !isFull) return {}
  return {
    registration: {
      mode,
      ...(opensAt !== null && { opensAt }),
      ...(closesAt !== null && { closesAt }),
      ...(isFull && { full: waitingList ? 'waitingList' : 'closed' }),
    },
  }
}

/** Absent without tracks. */
export function tracksView({
  settings: { tracks, tracksLockAt },
  startTime,
}: Pick<WorldView, 'settings' | 'startTime'>): Pick<z.input<typeof ClientConfigV2>, 'tracks'> {
  return tracks ? { tracks: { list: tracks.map(trackView), lockAt: tracksLockAt ?? startTime } } : {}
}

function rankingSiteOf({ clientId, authorizeUrl, callbackPath }: NonNullable<PublicDeployment['extrank']>) {
  return { clientId, authorizeUrl, ...(callbackPath !== undefined && { callbackPath }) }
}

/** `scheduled` and `freezeTime` only while they apply, so that the configuration of a scheduled event keeps its specified bytes. */
function eventTimes({ startTime, endTime, freezeTime }: TimesAndFreeze) {
  return {
    startTime,
    endTime,
    ...(isScheduled({ startTime }) ? {} : { scheduled: false as const }),
    ...(freezeTime == null ? {} : { freezeTime }),
  }
}

type TimesAndFreeze = EventTimes & { readonly freezeTime?: number | null | undefined }

function eventFields(settings: EventSettings, deployment: PublicDeployment) {
  return {
    meta: { description: settings.meta.description, imageUrl: settings.meta.imageUrl },
    homeContent: settings.homeContent,
    sponsors: settings.sponsors.map(({ name, icon, description, url }) =>
      url === undefined ? { name, icon, description } : { name, icon, description, url },
    ),
    ctfName: settings.ctfName,
    ...eventTimes(settings),
    divisions: { ...deployment.divisions },
    origin: deployment.origin,
    userMembers: deployment.userMembers,
    emailEnabled: deployment.emailEnabled,
  }
}

function siteTagOf({ globalSiteTag, analytics }: PublicDeployment): string | null {
  if (globalSiteTag !== null) return globalSiteTag
  return analytics?.provider === LEGACY_ANALYTICS ? (analytics.publicOptions['siteTag'] ?? null) : null
}

function legacyCaptchaOf(captcha: PublicCaptcha | null) {
  if (captcha?.provider !== LEGACY_CAPTCHA) return null
  return { siteKey: captcha.publicOptions['siteKey'] ?? '', protectedActions: [...captcha.protectedActions] }
}

function protectedEndpoints(actions: readonly CaptchaAction[]): z.input<typeof ProtectedActions> {
  return {
    register: actions.includes('register'),
    recover: actions.includes('recover'),
    setEmail: actions.includes('setEmail'),
    instancerStart: actions.includes('instancerStart'),
    instancerExtend: actions.includes('instancerExtend'),
    avatarUpload: actions.includes('avatarUpload'),
    adminBotSubmit: actions.includes('adminBotSubmit'),
  }
}
