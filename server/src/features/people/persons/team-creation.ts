import type { Answers } from '@pennant/contract/custom-field-values.ts'
import { TeamName } from '@pennant/contract/fields.ts'
import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { fieldsOf } from '../../site/custom-fields/definitions.ts'
import { writeAnswers, type NewAnswer } from '../../site/custom-fields/store.ts'
import type { RegistrationRules } from '../../site/settings/registration-rules.ts'
import { acceptedCode, admission, type AdmissionRefusal } from '../registration/admission.ts'
import { findPerson } from './membership.ts'
import { mayCreateTeams, placeAnswers, type PeopleDeps } from './people-deps.ts'
import { personRows } from './rows.ts'
import { placeInTeam } from './store.ts'
import { registrationProblem, type Declaration } from '../tracks/rules.ts'

interface Wanted {
  /** Needed, except in an event for individuals. */
  readonly name?: string | undefined
  readonly division?: string | undefined
  /** Where teams register by code. */
  readonly code?: string | undefined
  /** Answers of the team and of the person. */
  readonly fields?: Answers | undefined
  readonly personFields?: Answers | undefined
  readonly declared?: Declaration | undefined
}

/**
 * The team that a person creates, under the rules of registration. The division is that of the registration code, or else the one
 * that a sign-in provider proves, or else the chosen one.
 */
export async function createOwnTeamOf(deps: PeopleDeps, person: Creator, wanted: Wanted) {
  const { db, world, now, people, divisions, caughtUp } = deps
  if (person.teamId !== null) return 'in-team'
  if (!mayCreateTeams(deps)) return 'closed'
  const rules = deps.registrationRules()
  const code = await acceptedCode(db, { code: wanted.code, rules, now: now() })
  if (code === undefined) return 'code'
  const email = world().rows(personRows).find(person.id)?.email ?? null
  const proved = await provedDivision(db, person.id)
  const chosen = wanted.division ?? divisions.pickFor(email)
  const isProved = proved !== null && divisions.allowedFor(null).includes(proved)
  const division = code?.division ?? (isProved ? proved : chosen)
  if (division === null || !(isProved || divisions.isAllowed(email, division))) return 'division'
  const { declared = null } = wanted
  const problem = registrationProblem(world().settings, declared)
  if (problem) return problem
  const isTaken = (name: string) => [...world().teams()].some((team) => team.name === name)
  const name = people.individual ? teamNameOf(person, isTaken) : wanted.name
  if (name === undefined) return 'name'
  const asked = fieldsOf(deps.definitions(), 'team', 'registration')
  const ofTeam = answersTo(asked, { given: wanted.fields, isComplete: true, by: person.id })
  if (ofTeam.refused) return { refused: ofTeam.refused }
  const ofPerson = placeAnswers(deps, person.id, wanted.personFields)
  if (ofPerson.refused) return { refused: ofPerson.refused }
  const answers = { fields: ofTeam.answers, personFields: ofPerson.answers }
  const team = {
    personId: person.id,
    name,
    division,
    codeId: code?.id ?? null,
    declared,
    ...answers,
    now: now(),
  }
  const made = await db.change((tx) => createTeamOf(tx, team, rules))
  await caughtUp()
  return made
}

interface Creator {
  readonly id: string
  readonly name: string
  readonly teamId: string | null
}

/** That of the account that the person used last. */
async function provedDivision(db: Queries, personId: string): Promise<string | null> {
  const [row] = await db.query<{ division: string }>(sql`
    select division from person_identities where person_id = ${personId} and division is not null
    order by last_used_at desc, issuer limit 1`)
  return row?.division ?? null
}

export interface OwnTeam {
  readonly personId: string
  readonly name: string
  readonly division: string
  /** Of a registration code that was accepted. */
  readonly codeId: string | null
  readonly fields: readonly NewAnswer[]
  readonly personFields: readonly NewAnswer[]
  readonly declared: Declaration | null
  readonly now: number
}

/** Creates a team whose captain the person becomes. It has no address of its own: the captain signs in. */
export async function createTeamOf(
  tx: ChangeTransaction,
  { personId, name, division, codeId, fields, personFields, declared, now }: OwnTeam,
  rules: RegistrationRules,
): Promise<{ readonly id: string; readonly name: string } | 'gone' | 'in-team' | 'known' | AdmissionRefusal> {
  const person = await findPerson(tx, personId)
  if (!person) return 'gone'
  if (person.teamId !== null) return 'in-team'
  const applicant = { name, email: null, division, extrankId: null, codeId, fields, declared }
  // Whoever waits is no captain yet, so people do not wait.
  const admitted = await admission(tx, applicant, { ...rules, waitingList: false })
  if ('collision' in admitted) return 'known'
  if (!('created' in admitted)) return 'refused' in admitted ? admitted.refused : 'full'
  const id = admitted.created
  await placeInTeam(tx, { id: personId, teamId: id, isCaptain: true, at: now })
  await writeAnswers(tx, [{ owner: { personId }, answers: personFields }])
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
