import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import type { Visibility, VisiblePart } from '@pennant/contract/visibility.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import { integerOf, textOf, textOrNull, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import { millisOf } from '../micros.ts'
import type { Report } from '../report.ts'
import type { CtfdLinks } from './links.ts'
import type { CtfdOptions } from './options.ts'

export type CtfdConfig = ReadonlyMap<string, unknown>

export function configOf(rows: readonly Json[]): CtfdConfig {
  return new Map(rows.map(({ key, value }) => [textOf(key), value]))
}

interface Context {
  readonly pages: readonly Json[]
  readonly firstAt: number | null
  readonly options: CtfdOptions
  readonly links: CtfdLinks
  readonly report: Report
}

export function readSettings(config: CtfdConfig, context: Context): SettingsOverrides {
  const { links, report } = context
  const text = (key: string) => textOrNull(config.get(key))
  const picture = (key: string) => {
    const location = text(key)
    return location === null ? undefined : links.file(location)
  }
  const home = homeOf(config, context)
  if (home !== undefined && home.length > settingsLimits.homeContent)
    report.loss('long-settings', 'Settings are too long and are left out.', 'home page')
  const description = text('ctf_description')?.slice(0, settingsLimits.description)
  const banner = picture('ctf_banner')
  reportLosses(config, report)
  return definedOf({
    ctfName: text('ctf_name')?.slice(0, settingsLimits.title),
    homeContent: home !== undefined && home.length > settingsLimits.homeContent ? undefined : home,
    ...timesOf(config, context),
    registrationMode: registrationOf(config, report),
    visibility: visibilityOf(config),
    freezeTime: freezeOf(config, report),
    meta:
      description === undefined && banner === undefined
        ? undefined
        : {
            ...(description && { description: withoutMarkers(description) }),
            ...(banner && { imageUrl: banner }),
          },
    faviconUrl: picture('ctf_small_icon'),
    logoLightUrl: picture('ctf_logo'),
    logoDarkUrl: picture('ctf_logo'),
  })
}

const PLACEHOLDERS = ['ctf_name', 'ctf_description', 'ctf_start', 'ctf_end', 'ctf_freeze']

function homeOf(config: CtfdConfig, { pages, links }: Context): string | undefined {
  const index = pages.find(({ route }) => route === 'index')
  if (!index) return undefined
  const content = PLACEHOLDERS.reduce(
    (text, key) =>
      text.replaceAll(`{${key}}`, () => textOf(config.get(key) ?? config.get(key.slice('ctf_'.length)))),
    textOf(index['content']),
  )
  return links.text(content)
}

/** Milliseconds, as other programs write them, would be a year far in the future. */
function isUnixSeconds(value: number): boolean {
  return value * 1000 >= FIRST_INSTANT && value < Date.UTC(9999, 0, 1) / 1000
}

function timesOf(config: CtfdConfig, { options, firstAt, report }: Context) {
  const seconds = (key: string) => {
    const value = integerOf(config.get(key))
    if (value === null || value <= 0) return null
    if (isUnixSeconds(value)) return value * 1000
    report.problem('times', 'Times are not Unix seconds between the years 2000 and 9999.', `${key}: ${value}`)
    return null
  }
  const given = seconds('start')
  const endTime = options.end ?? seconds('end')
  const startTime = given ?? (firstAt === null ? null : millisOf(firstAt))
  if (given === null)
    report.note('event-start', 'The source has no start. It becomes the time of the first submission.')
  if (endTime === null || (startTime !== null && endTime <= startTime)) {
    report.problem(
      'event-end',
      'The source has no end, or one that is not after the start. Give it with `--end`.',
    )
    return {}
  }
  return { startTime: startTime ?? endTime - 1000, endTime }
}

/** One code for all is a secret that everyone knows after a day, so it is not imported. */
function registrationOf(config: CtfdConfig, report: Report): SettingsOverrides['registrationMode'] {
  if (config.get('registration_visibility') === 'private') return 'closed'
  if (textOf(config.get('registration_code')) === '') return undefined
  report.note(
    'registration-code',
    'Teams register by code. The code of the source is not imported: create codes on the page Registration.',
  )
  return 'code'
}

const LEVELS: Readonly<Record<string, Visibility>> = {
  private: 'signedIn',
  admins: 'organisers',
  // Of scores only.
  hidden: 'organisers',
}

const PARTS = {
  challenges: 'challenge_visibility',
  scoreboard: 'score_visibility',
  profiles: 'account_visibility',
} as const satisfies { readonly [Part in VisiblePart]?: string }

/** Who sees what in the source; undefined if everyone sees everything. */
function visibilityOf(config: CtfdConfig): SettingsOverrides['visibility'] {
  const closed = Object.entries(PARTS).flatMap(([part, key]) => {
    const level = LEVELS[textOf(config.get(key))]
    return level === undefined ? [] : [[part, level] as const]
  })
  return closed.length > 0 ? Object.fromEntries(closed) : undefined
}

function freezeOf(config: CtfdConfig, report: Report): number | undefined {
  const seconds = integerOf(config.get('freeze')) ?? 0
  if (seconds <= 0) return undefined
  const freezeTime = seconds * 1000
  if (!isUnixSeconds(seconds)) {
    report.loss('freeze', 'The time at which the standings freeze is not valid and is left out.')
    return undefined
  }
  report.note(
    'frozen',
    'The standings are frozen until you publish the results.',
    new Date(freezeTime).toISOString(),
  )
  return freezeTime
}

/** Settings whose absence organisers notice. Values are not shown: some are secret. */
const NOTICED = [
  'paused',
  'theme_header',
  'theme_footer',
  'theme_settings',
  'max_attempts_behavior',
  'num_teams',
  'num_users',
  'team_size',
  'tos_text',
  'tos_url',
  'privacy_text',
  'privacy_url',
  'robots_txt',
  'verify_emails',
]
const SECRET = /^(?:mail|oauth)/

function reportLosses(config: CtfdConfig, report: Report): void {
  const isSet = (key: string) => {
    const text = textOf(config.get(key))
    return text !== '' && text !== '0' && text.toLowerCase() !== 'false' && text !== 'public'
  }
  for (const key of NOTICED) if (isSet(key)) report.without('otherSettings', key)
  for (const key of config.keys()) if (SECRET.test(key) && isSet(key)) report.without('mailSettings', key)
}

/** What Pennant keeps in its configuration. */
export function configurationOf(
  config: CtfdConfig,
  { divisions, isTeams }: { readonly divisions: Readonly<Record<string, string>>; readonly isTeams: boolean },
): Json {
  const allowed = textOf(config.get('domain_whitelist'))
    .split(',')
    .map((domain) => domain.trim())
    .filter((domain) => domain !== '')
  const ids = Object.keys(divisions)
  return {
    ...(ids.length > 0 && { divisions }),
    ...(!isTeams && { userMembers: false }),
    ...(allowed.length > 0 && {
      divisionACLs: allowed.map((value) => ({
        match: 'domain',
        value,
        divisions: ids.length > 0 ? ids : ['open'],
      })),
    }),
  }
}
