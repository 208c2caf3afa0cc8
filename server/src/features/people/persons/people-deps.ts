import type { Database } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import { isRegistrationOpen, type RegistrationRules } from '../../site/settings/registration-rules.ts'
import type { Divisions } from '../teams/divisions.ts'

/** How people take part, as configured. */
export interface PeopleRules {
  readonly mode: 'off' | 'optional' | 'required'
  readonly maxTeamSize: number
  readonly lockAt?: number | undefined
  readonly individual: boolean
}

export interface PeopleDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly visibility: Visibility
  readonly now: () => number
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly people: PeopleRules
  readonly divisions: Divisions
  readonly registrationRules: () => RegistrationRules
}

/** Whether players neither join nor leave teams any more. */
export function isLocked({ people: { lockAt }, now }: PeopleDeps): boolean {
  return lockAt !== undefined && now() >= lockAt
}

/** Whether people create teams. Where organisers approve teams, a team registers with its form and invites people. */
export function mayCreateTeams({ registrationRules, now }: PeopleDeps): boolean {
  const rules = registrationRules()
  return rules.mode !== 'approval' && isRegistrationOpen(rules, now())
}
