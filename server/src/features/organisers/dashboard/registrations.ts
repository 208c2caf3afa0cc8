import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Finding } from './warnings.ts'

export const REGISTRATION_WINDOW_MS = 10 * MINUTE_MS
/** Number of preceding windows that define the usual rate. */
const EARLIER_WINDOWS = 6
/** Fewer registrations never cause a warning. */
const LEAST_SURGE = 100
/** A surge is more than this many times the usual rate. */
const SURGE_FACTOR = 4

export interface RegistrationCounts {
  /** Teams and pending registrations of the last 10 minutes. */
  readonly recent: number
  /** Teams created in the hour before. */
  readonly earlier: number
}

/** `newVerifications` is the number of registrations of the last 10 minutes that await email verification. */
export function countRegistrations(
  teams: ReturnType<WorldView['teams']>,
  { newVerifications, clockMs }: { readonly newVerifications: number; readonly clockMs: number },
): RegistrationCounts {
  const recentFrom = clockMs - REGISTRATION_WINDOW_MS
  const earlierFrom = recentFrom - EARLIER_WINDOWS * REGISTRATION_WINDOW_MS
  let recent = newVerifications
  let earlier = 0
  for (const { createdAt } of teams) {
    if (createdAt > recentFrom) recent += 1
    else if (createdAt > earlierFrom) earlier += 1
  }
  return { recent, earlier }
}

/**
 * Warns if there are far more registrations than in the hour before: registration has just opened, or a
 * script is running.
 */
export function registrationFindings({ recent, earlier }: RegistrationCounts): Finding[] {
  if (recent < LEAST_SURGE || recent <= (SURGE_FACTOR * earlier) / EARLIER_WINDOWS) return []
  return [
    {
      code: 'registrationSurge',
      text: `${recent} teams registered in the last 10 minutes. If that is unexpected, require a captcha or lower \`registrationLimit\`.`,
    },
  ]
}
