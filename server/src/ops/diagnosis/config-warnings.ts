import type { Config } from '../../config/config.ts'
import { visibilityWarnings } from '../../features/contest/visibility/rules.ts'
import {
  registrationWarnings,
  type RegistrationRules,
} from '../../features/site/settings/registration-rules.ts'
import { isScheduled } from '../../lib/event-times.ts'

type Parts = Pick<Config, 'people' | 'email' | 'divisions' | 'startTime'>

/** How people take part and how teams register, where one makes the other useless or impossible. */
export function peopleWarnings(config: Parts, rules: RegistrationRules): string[] {
  const { mode, individual, maxTeamSize, lockAt, providers } = config.people
  const warnings: string[] = []
  const isRequired = mode === 'required'
  if (isRequired && !config.email && providers.length === 0)
    warnings.push(
      '`people.mode` is `required`, but no one can sign in as a person. Configure `email` or `people.providers`.',
    )
  if (isRequired && rules.mode === 'approval')
    warnings.push(
      'With `people.mode: required` only people create teams, and with registration by approval they cannot, so no team can register. Use `optional`, or another registration.',
    )
  if (individual && mode === 'off')
    warnings.push('`people.individual` has no effect with `people.mode: off`.')
  if (individual && mode !== 'off' && !isRequired && rules.mode === 'approval')
    warnings.push(
      'In an event for individuals people create their own team, which registration by approval prevents. Use another registration.',
    )
  if (individual && maxTeamSize !== DEFAULT_TEAM_SIZE && maxTeamSize !== 1)
    warnings.push('`people.maxTeamSize` has no effect in an event for individuals. Remove it.')
  if (lockAt !== undefined && isScheduled(config) && lockAt < config.startTime)
    warnings.push(
      'From `people.lockAt` on no one joins a team, and that is before the event starts. Set it to the start or later.',
    )
  if (lockAt !== undefined && rules.opensAt !== null && lockAt <= rules.opensAt)
    warnings.push(
      '`people.lockAt` is not after the time at which registration opens, so no one can join a team. Set it later.',
    )
  return warnings
}

/** Of `people.maxTeamSize`, which looks the same if it is given. */
const DEFAULT_TEAM_SIZE = 50

/** Keys of the configuration that contradict each other. Settings of organisers can still override some of them. */
export function configWarnings(config: Config, rules: RegistrationRules): string[] {
  const warnings = [
    ...visibilityWarnings(config.visibility, false),
    ...registrationWarnings(rules),
    ...peopleWarnings(config, rules),
  ]
  const isDivided = Object.values(config.visibility).includes('division')
  if (isDivided && Object.keys(config.divisions).length < 2)
    warnings.push(
      'A part of the event is for the own division, but there is only one division, so it is for all teams. Add divisions, or use `signedIn`.',
    )
  if (rules.mode === 'code')
    warnings.push(
      'Registration needs a code. Create codes on the page Registration before teams register; `pennant doctor` checks that there is one.',
    )
  return warnings
}
