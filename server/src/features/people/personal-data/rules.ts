import { DAY_MS } from '@pennant/contract/durations.ts'
import { effectiveTimes, NOT_SCHEDULED } from '../../../lib/event-times.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import type { EventSettings } from '../../site/settings/rules.ts'

export type PrivacyDefaults = Pick<EventSettings, 'startTime' | 'endTime' | 'privacy'>

export interface Retention {
  readonly controller: string
  /** Unix milliseconds; null if nothing is erased. */
  readonly eraseAt: number | null
  readonly erasesMessages: boolean
}

/** What the deployment and the organisers decided. Never before the end, because teams sign in with what is erased. */
export function retentionOf(defaults: PrivacyDefaults, overrides: SettingsOverrides): Retention {
  const privacy = { ...defaults.privacy, ...overrides.privacy }
  const { endTime } = effectiveTimes(defaults, overrides)
  const end = endTime < NOT_SCHEDULED ? endTime : null
  // A stored time replaces configured days.
  const days = overrides.privacy?.eraseAt === undefined ? privacy.eraseAfterDays : undefined
  const afterEnd = days === undefined || end === null ? null : end + days * DAY_MS
  const wanted = overrides.privacy?.eraseAfterDays === undefined ? (privacy.eraseAt ?? afterEnd) : afterEnd
  return {
    controller: privacy.controller ?? '',
    eraseAt: wanted === null ? null : Math.max(wanted, end ?? 0),
    erasesMessages: privacy.eraseMessages ?? false,
  }
}
