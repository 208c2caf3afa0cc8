import { settingsMost } from '@pennant/contract/admin-settings.ts'
import type { Values } from './draft.ts'

export type Fault = 'missing' | 'tooLong' | 'order' | 'address'

/** What is wrong, by the path that the server would name: `ctfName`, `sponsors.0.url`. */
export function faultsOf(values: Values): Readonly<Record<string, Fault>> {
  const { startTime, endTime, homeContent, sponsors } = values
  const faults: Record<string, Fault> = {}
  if (values.ctfName.trim() === '') faults['ctfName'] = 'missing'
  if (Number.isNaN(startTime)) faults['startTime'] = 'missing'
  if (Number.isNaN(endTime)) faults['endTime'] = 'missing'
  if (startTime >= endTime) faults['endTime'] = 'order'
  if (homeContent.length > settingsMost.homeContent) faults['homeContent'] = 'tooLong'
  for (const [at, { name, url }] of sponsors.entries()) {
    if (name.trim() === '') faults[`sponsors.${at}.name`] = 'missing'
    // Nothing else becomes a link on the home page.
    if (url.trim() !== '' && !/^https?:\/\/\S+$/i.test(url.trim())) faults[`sponsors.${at}.url`] = 'address'
  }
  return faults
}

/** The field that a refused request names: `body:data.meta.imageUrl: must be …` is `imageUrl`. */
export function fieldNamed(reason: string): string | null {
  const path = /^body:data\.(?:meta\.)?([^:]+):/.exec(reason)?.[1]
  return path ?? null
}
