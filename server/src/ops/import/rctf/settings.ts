import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { instantProblem } from '@pennant/contract/instants.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import { integerOf, listOf, objectOf, textOrNull, type Json } from '../json.ts'
import type { Report } from '../report.ts'
import type { RctfLinks } from './uploads.ts'

interface Sources {
  /** Of the database. They override the configuration, the end of the event included. */
  readonly settings: Json
  readonly config: Json
}

export function readSettings(
  { settings, config }: Sources,
  { links, report }: { readonly links: RctfLinks; readonly report: Report },
): SettingsOverrides {
  const value = (key: string): unknown => settings[key] ?? config[key]
  const text = (key: string, most: number): string | undefined => {
    const given = textOrNull(value(key))
    if (given === null) return undefined
    if (given.length <= most) return links.text(given)
    report.loss('long-settings', 'Settings are too long and are left out.', key)
    return undefined
  }
  const { startTime, endTime } = timesOf(value, report)
  const sponsors = sponsorsOf(value('sponsors'), { links, report })
  const meta = { ...objectOf(config['meta']), ...objectOf(settings['meta']) }
  const description = textOrNull(meta['description'])
  const imageUrl = textOrNull(meta['imageUrl'])
  return definedOf({
    ctfName: text('ctfName', settingsLimits.title),
    homeContent: text('homeContent', settingsLimits.homeContent),
    startTime,
    endTime,
    sponsors: sponsors.length > 0 ? sponsors : undefined,
    meta:
      description === null && imageUrl === null
        ? undefined
        : {
            ...(description !== null && { description }),
            ...(imageUrl !== null && { imageUrl: links.text(imageUrl) }),
          },
    faviconUrl: text('faviconUrl', settingsLimits.url),
    // Version 1 has one logo.
    logoLightUrl: text('logoLightUrl', settingsLimits.url) ?? text('logoUrl', settingsLimits.url),
    logoDarkUrl: text('logoDarkUrl', settingsLimits.url) ?? text('logoUrl', settingsLimits.url),
  })
}

function timesOf(value: (key: string) => unknown, report: Report) {
  const startTime = integerOf(value('startTime')) ?? undefined
  const endTime = integerOf(value('endTime')) ?? undefined
  for (const [key, at] of Object.entries({ startTime, endTime })) {
    const problem = at === undefined ? null : instantProblem(at)
    if (problem === null) continue
    report.problem('event-times-unit', 'Times of the event are not Unix milliseconds.', `${key}: ${problem}`)
    return {}
  }
  if (startTime === undefined || endTime === undefined) {
    report.note(
      'event-times',
      'The start or the end of the event is not in the source. It stays as this contest has it: give the configuration of rCTF, or set the times first.',
    )
    return { startTime, endTime }
  }
  if (startTime < endTime) return { startTime, endTime }
  report.problem('event-times', 'The end of the event is not after its start.')
  return {}
}

function sponsorsOf(
  value: unknown,
  { links, report }: { readonly links: RctfLinks; readonly report: Report },
) {
  return listOf(value)
    .slice(0, settingsLimits.sponsors)
    .map((entry) => {
      const { name, description, url, icon, iconLight, iconDark } = objectOf(entry)
      const icons = [iconLight, icon, iconDark].map(textOrNull).filter((each) => each !== null)
      if (new Set(icons).size > 1) report.without('sponsorIcons', textOrNull(name) ?? '')
      const address = textOrNull(url)
      return {
        name: textOrNull(name) ?? '',
        icon: links.text(icons[0] ?? ''),
        description: textOrNull(description) ?? '',
        ...(address !== null && { url: address }),
      }
    })
}
