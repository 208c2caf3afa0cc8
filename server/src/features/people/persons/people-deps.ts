import type { Answers } from '@pennant/contract/custom-field-values.ts'
import type { Database } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { fieldsOf, type Definitions } from '../../site/custom-fields/definitions.ts'
import { personAnswerRows } from '../../site/custom-fields/rows.ts'
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
  /** What teams and people are asked for. */
  readonly definitions: () => Definitions
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

/** Answers of a person who wants a place in a team: those of registration that are required are complete then. */
export function placeAnswers(
  { world, definitions }: PeopleDeps,
  personId: string,
  given: Answers | undefined,
) {
  const stored = world().rows(personAnswerRows)(personId)
  const asked = fieldsOf(definitions(), 'person', 'registration')
  return answersTo(asked, { given, stored, isComplete: true, by: personId })
}
