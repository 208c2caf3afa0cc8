import { TeamName } from '@pennant/contract/fields.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import { admission, type AdmissionRefusal } from '../registration/admission.ts'
import { findPerson } from './membership.ts'
import { placeInTeam } from './store.ts'

export interface OwnTeam {
  readonly personId: string
  readonly name: string
  readonly division: string
  /** Of a registration code that was accepted. */
  readonly codeId: string | null
  readonly now: number
}

/** Creates a team whose captain the person becomes. It has no address of its own: the captain signs in. */
export async function createTeamOf(
  tx: ChangeTransaction,
  { personId, name, division, codeId, now }: OwnTeam,
  rules: RegistrationRules,
): Promise<{ readonly id: string; readonly name: string } | 'gone' | 'in-team' | 'known' | AdmissionRefusal> {
  const person = await findPerson(tx, personId)
  if (!person) return 'gone'
  if (person.teamId !== null) return 'in-team'
  const applicant = { name, email: null, division, extrankId: null, codeId }
  // Whoever waits is no captain yet, so people do not wait.
  const admitted = await admission(tx, applicant, { ...rules, waitingList: false })
  if ('collision' in admitted) return 'known'
  if (!('created' in admitted)) return 'refused' in admitted ? admitted.refused : 'full'
  const id = admitted.created
  await placeInTeam(tx, { id: personId, teamId: id, isCaptain: true, at: now })
  return { id, name }
}

/** Names of people may be in any script, and several have the same one. */
export function teamNameOf(
  person: { readonly id: string; readonly name: string },
  isTaken: (name: string) => boolean,
): string {
  const suffix = person.id.replaceAll('-', '').slice(-6)
  const names = [person.name, `${person.name} ${suffix}`, `Player ${suffix}`]
  return (
    names.find((name) => TeamName.safeParse(name).success && !isTaken(name)) ??
    `Player ${person.id.slice(-12)}`
  )
}
