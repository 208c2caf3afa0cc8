import type { SettingsOverrides } from '../../../world/model.ts'

export type RegistrationMode = NonNullable<SettingsOverrides['registrationMode']>

/** What the deployment sets. Absent: everyone can register. */
export interface RegistrationDefaults {
  readonly registrationsEnabled?: boolean | undefined
  readonly registration?:
    | {
        readonly mode: RegistrationMode
        readonly opensAt?: number | undefined
        readonly closesAt?: number | undefined
        readonly maxTeams?: number | undefined
        readonly waitingList: boolean
      }
    | undefined
}

/** Who can register, with the settings of organisers: docs/reference/registration.md */
export interface RegistrationRules {
  readonly mode: RegistrationMode
  readonly opensAt: number | null
  readonly closesAt: number | null
  readonly maxTeams: number | null
  readonly waitingList: boolean
}

export function registrationRules(
  { registrationsEnabled = true, registration }: RegistrationDefaults,
  overrides: SettingsOverrides,
): RegistrationRules {
  return {
    mode: overrides.registrationMode ?? (registrationsEnabled ? (registration?.mode ?? 'open') : 'closed'),
    opensAt: overrides.registrationOpensAt ?? registration?.opensAt ?? null,
    closesAt: overrides.registrationClosesAt ?? registration?.closesAt ?? null,
    maxTeams: overrides.maxTeams ?? registration?.maxTeams ?? null,
    waitingList: overrides.waitingList ?? registration?.waitingList ?? true,
  }
}

export function isRegistrationOpen({ mode, opensAt, closesAt }: RegistrationRules, now: number): boolean {
  return mode !== 'closed' && (opensAt === null || now >= opensAt) && (closesAt === null || now < closesAt)
}

/** Whether a team that asks is created, without a look at codes, the queue or the number of teams. */
export function isUnconditional({ mode, maxTeams }: RegistrationRules): boolean {
  return mode !== 'code' && mode !== 'approval' && maxTeams === null
}

/** What is wrong with the times. */
export function registrationWarnings({ opensAt, closesAt }: RegistrationRules): string[] {
  return opensAt !== null && closesAt !== null && closesAt <= opensAt
    ? ['Registration closes before it opens, so no one can register. Set its end after its start.']
    : []
}
