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
  const {
    controller = '',
    eraseAt,
    eraseAfterDays,
    eraseMessages = false,
  } = overrides.privacy ?? defaults.privacy ?? {}
  const { endTime } = effectiveTimes(defaults, overrides)
  const end = endTime < NOT_SCHEDULED ? endTime : null
  const afterEnd = eraseAfterDays === undefined || end === null ? null : end + eraseAfterDays * DAY_MS
  const wanted = eraseAt ?? afterEnd
  return {
    controller,
    eraseAt: wanted === null ? null : Math.max(wanted, end ?? 0),
    erasesMessages: eraseMessages,
  }
}
