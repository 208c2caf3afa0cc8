import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { INCOMPLETE, type Values } from './draft.ts'

export type Fault =
  | 'missing'
  | 'incomplete'
  | 'tooLong'
  | 'order'
  | 'freezeOrder'
  | 'address'
  | 'number'
  | 'registrationOrder'

const TIMES = [
  'startTime',
  'endTime',
  'freezeTime',
  'tracksLockAt',
  'registrationOpensAt',
  'registrationClosesAt',
] as const

/**
 * Validation errors by server field path: `ctfName`, `sponsors.0.url`. Without default times, both times may be
 * empty: the event is not scheduled.
 */
export function faultsOf(values: Values, defaults: Values): Readonly<Record<string, Fault>> {
  const { startTime, endTime, homeContent, sponsors } = values
  const faults: Record<string, Fault> = {}
  if (values.ctfName.trim() === '') faults['ctfName'] = 'missing'
  const isUnscheduled = Number.isNaN(startTime) && Number.isNaN(endTime) && Number.isNaN(defaults.startTime)
  if (Number.isNaN(startTime) && !isUnscheduled) faults['startTime'] = 'missing'
  if (Number.isNaN(endTime) && !isUnscheduled) faults['endTime'] = 'missing'
  if (startTime >= endTime) faults['endTime'] = 'order'
  if (values.registrationClosesAt <= values.registrationOpensAt)
    faults['registrationClosesAt'] = 'registrationOrder'
  const { maxTeams } = values
  if (
    !Number.isNaN(maxTeams) &&
    !(Number.isInteger(maxTeams) && maxTeams > 0 && maxTeams <= settingsLimits.teams)
  )
    faults['maxTeams'] = 'number'
  if (values.freezeTime <= startTime) faults['freezeTime'] = 'freezeOrder'
  for (const name of TIMES) if (values[name] === INCOMPLETE) faults[name] = 'incomplete'
  if (homeContent.length > settingsLimits.homeContent) faults['homeContent'] = 'tooLong'
  for (const [at, { label }] of values.tracks.entries())
    if (label.trim() === '') faults[`tracks.${at}.label`] = 'missing'
  for (const [at, { name, url }] of sponsors.entries()) {
    if (name.trim() === '') faults[`sponsors.${at}.name`] = 'missing'
    // The home page only links http and https URLs.
    if (url.trim() !== '' && !/^https?:\/\/\S+$/i.test(url.trim())) faults[`sponsors.${at}.url`] = 'address'
  }
  return faults
}

/** Extracts the field from a server error: `body:data.meta.imageUrl: must be …` becomes `imageUrl`. */
export function fieldNamed(reason: string): string | null {
  const path = /^body:data\.(?:meta\.)?([^:]+):/.exec(reason)?.[1]
  return path ?? null
}
