import { z } from 'zod'
import { RegistrationMode, Sponsor as ShownSponsor } from './client-config.ts'
import { CustomFields, EligibilityRules } from './custom-field-schemas.ts'
import { LinkUrl, PictureUrl, UnixMs } from './fields.ts'
import { Instant } from './instants.ts'
import { PrivacySettings } from './privacy-settings.ts'
import { organiserRoute, reply } from './route.ts'
import { Track, Tracks } from './tracks.ts'
import { VisibilitySettings } from './visibility-settings.ts'

// Settings that organisers can change during the event: docs/reference/administration.md#event-settings

/**
 * Limits in characters and entries, far more than a page needs: every visitor downloads all of it with the
 * client configuration.
 */
export const settingsLimits = {
  title: 200,
  url: 4096,
  description: 2000,
  homeContent: 200_000,
  sponsors: 100,
  teams: 1_000_000,
}

const Picture = PictureUrl.max(settingsLimits.url)

const Sponsor = z.object({
  name: z.string().max(settingsLimits.title),
  icon: Picture,
  description: z.string().max(settingsLimits.description),
  url: LinkUrl.max(settingsLimits.url).optional(),
})

const fields = {
  ctfName: z.string().max(settingsLimits.title),
  homeContent: z.string().max(settingsLimits.homeContent),
  startTime: Instant,
  endTime: Instant,
  freezeTime: Instant,
  resultsPublished: z.boolean(),
  statisticsPublic: z.boolean(),
  externalPictures: z.boolean(),
  tracks: Tracks,
  tracksLockAt: Instant,
  registrationMode: RegistrationMode,
  registrationOpensAt: Instant,
  registrationClosesAt: Instant,
  maxTeams: z.int().min(1).max(settingsLimits.teams),
  waitingList: z.boolean(),
  fields: CustomFields,
  eligibility: EligibilityRules,
  sponsors: z.array(Sponsor).max(settingsLimits.sponsors),
  meta: z
    .object({
      description: z.string().max(settingsLimits.description).optional(),
      imageUrl: Picture.optional(),
    })
    .describe('Replaces the stored object as a whole; a missing key falls back to the default.'),
  faviconUrl: Picture,
  logoLightUrl: Picture,
  logoDarkUrl: Picture,
}

/** Without limits, because the deployment's own texts have none. */
export const Settings = z
  .object({
    ctfName: z.string(),
    homeContent: z.string(),
    startTime: UnixMs,
    endTime: UnixMs,
    /** docs/reference/freeze.md */
    freezeTime: UnixMs,
    resultsPublished: z.boolean(),
    /** docs/reference/statistics.md */
    statisticsPublic: z.boolean(),
    /** docs/author/texts.md#pictures */
    externalPictures: z.boolean(),
    /** docs/reference/tracks.md */
    tracks: z.array(Track),
    tracksLockAt: UnixMs,
    /** docs/reference/registration.md */
    registrationMode: RegistrationMode,
    registrationOpensAt: UnixMs,
    registrationClosesAt: UnixMs,
    maxTeams: z.int(),
    waitingList: z.boolean(),
    /** docs/operate/closed-events.md */
    visibility: VisibilitySettings,
    /** docs/operate/personal-data.md */
    privacy: PrivacySettings,
    /** docs/reference/fields.md */
    fields: CustomFields,
    eligibility: EligibilityRules,
    sponsors: z.array(ShownSponsor),
    meta: z.object({ description: z.string(), imageUrl: z.string() }).partial(),
    faviconUrl: z.string(),
    logoLightUrl: z.string(),
    logoDarkUrl: z.string(),
  })
  .partial()

/** An absent key keeps the override, null removes it. */
export const SettingsPatch = z
  .object({
    ctfName: fields.ctfName.nullable(),
    homeContent: fields.homeContent.nullable(),
    startTime: fields.startTime.nullable(),
    endTime: fields.endTime.nullable(),
    freezeTime: fields.freezeTime.nullable(),
    resultsPublished: fields.resultsPublished
      .nullable()
      .describe('Ends the freeze. A new `freezeTime` without it starts another one.'),
    statisticsPublic: fields.statisticsPublic
      .nullable()
      .describe('Whether everyone sees the statistics after the end.'),
    externalPictures: fields.externalPictures
      .nullable()
      .describe('Whether texts show pictures of other sites.'),
    tracks: fields.tracks.nullable(),
    tracksLockAt: fields.tracksLockAt
      .nullable()
      .describe('From this time on, teams only move to a more permissive track.'),
    registrationMode: fields.registrationMode.nullable(),
    registrationOpensAt: fields.registrationOpensAt.nullable(),
    registrationClosesAt: fields.registrationClosesAt.nullable(),
    maxTeams: fields.maxTeams.nullable().describe('Teams of players; more wait for a place.'),
    waitingList: fields.waitingList.nullable().describe('If false, more than `maxTeams` are refused.'),
    visibility: VisibilitySettings.nullable().describe(
      'Who sees which part of the event. Replaces the stored object as a whole; a missing part falls back to the default.',
    ),
    privacy: PrivacySettings.nullable().describe(
      'Who is responsible for personal data and when it is erased: at a time, or days after the end. Replaces the stored object as a whole.',
    ),
    fields: fields.fields
      .nullable()
      .describe('What teams and people are asked for. Replaces the stored list as a whole.'),
    eligibility: fields.eligibility
      .nullable()
      .describe('Rules of divisions and prizes. Replaces the stored list as a whole.'),
    sponsors: fields.sponsors.nullable(),
    meta: fields.meta.nullable(),
    faviconUrl: fields.faviconUrl.nullable(),
    logoLightUrl: fields.logoLightUrl.nullable(),
    logoDarkUrl: fields.logoDarkUrl.nullable(),
  })
  .partial()
  .refine(({ startTime, endTime }) => startTime == null || endTime == null || startTime < endTime, {
    path: ['startTime'],
    error: 'must be before endTime',
  })

const Both = z.object({
  overrides: Settings,
  defaults: Settings,
  warnings: z
    .array(z.string())
    .max(6)
    .optional()
    .describe('What is wrong with the times and the visibility that apply now; absent without any.'),
})

export const goodAdminSettings = reply(200, 'goodAdminSettings', 'Settings.', Both)
export const goodAdminSettingsUpdate = reply(200, 'goodAdminSettingsUpdate', 'The settings were saved.', Both)

export const badFieldChange = reply(
  409,
  'badFieldChange',
  'Stored answers prevent this change of the fields.',
  z.object({
    deleted: z
      .int()
      .describe('Answers to fields that are deleted. Send this number as `deletedAnswers` to go on.'),
    unfitting: z
      .array(z.object({ field: z.string(), answers: z.int() }))
      .describe('Fields whose new definition does not fit stored answers. Keep it, or delete the field.'),
  }),
)
export const badEligibilityField = reply(
  400,
  'badEligibilityField',
  'A rule asks for a field that does not exist, or that has another kind.',
  z.object({ rule: z.string(), condition: z.int().describe('Its position in the rule, from 0.') }),
)

const settings = {
  compatible: true,
  path: '/api/v2/admin/settings',
  perms: ['settingsWrite'],
} as const

export const readSettings = organiserRoute({
  ...settings,
  method: 'GET',
  summary: 'What organisers have set, and what the deployment sets where they have not.',
  scope: 'organise:read',
  replies: [goodAdminSettings],
})

export const updateSettings = organiserRoute({
  ...settings,
  method: 'PUT',
  summary: 'Changes the fields that are sent; null goes back to what the deployment sets.',
  scope: 'settings:write',
  body: z.object({
    data: SettingsPatch,
    deletedAnswers: z
      .int()
      .min(0)
      .optional()
      .describe('Answers that go with deleted fields. If there are more, nothing is saved.'),
  }),
  bodyCap: 'admin',
  replies: [goodAdminSettingsUpdate, badFieldChange, badEligibilityField],
})

export const adminSettingsRouteList = [readSettings, updateSettings] as const
