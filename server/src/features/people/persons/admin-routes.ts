import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import * as contract from '@pennant/contract/people.ts'
import { badEndpoint, badUnknownUser } from '@pennant/contract/replies.ts'
import { fittingAnswers } from '@pennant/contract/custom-field-values.ts'
import { fieldsOf } from '../../site/custom-fields/definitions.ts'
import { personAnswerRows } from '../../site/custom-fields/rows.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { endAllSessions, updatePersonAsAdmin } from './admin-store.ts'
import { readActivity } from './activity.ts'
import type { PeopleDeps } from './people-deps.ts'
import { personNames, personRows, type PersonRow } from './rows.ts'
import { adminPersonView } from './views.ts'

const refusals = {
  gone: contract.badPerson,
  team: badUnknownUser,
  privileged: badUserPrivileged,
  'not-in-team': contract.badNotInTeam,
}

export function adminPeopleRoutes(deps: PeopleDeps): Endpoint[] {
  const { db, world, now, caughtUp, people } = deps
  const isOff = people.mode === 'off'
  return [
    on(contract.listPeople, ({ query: { limit, offset, search, teamId, field, answer } }) => {
      if (isOff) return badEndpoint()
      const all = matching(world(), search, teamId)
      const found = field === undefined ? all : all.filter(({ id }) => answerOf(deps, id, field) === answer)
      const page = found.slice(offset, offset + limit).map((row) => adminPersonView(world(), row))
      return contract.goodAdminPeople({ total: found.length, people: page })
    }),

    on(contract.readActivityOf, async ({ params: { id } }) => {
      if (isOff) return badEndpoint()
      if (!world().team(id)) return badUnknownUser()
      // A deleted challenge is shown with its id, as in the audit.
      const challengeName = (challenge: string) => world().challenge(challenge)?.name ?? challenge
      const names = { challengeName, personName: personNames(world) }
      return contract.goodTeamActivity(await readActivity(db, id, names))
    }),

    on(contract.updatePerson, async ({ params: { id }, body: { data }, team: { id: actorId }, ip }) => {
      if (isOff) return badEndpoint()
      const outcome = await db.change((tx) =>
        updatePersonAsAdmin(tx, { id, patch: data, now: now() }, { actorId, ip }),
      )
      if (outcome !== 'done') return refusals[outcome]()
      await caughtUp()
      const row = world().rows(personRows).find(id)
      return row
        ? contract.goodAdminPersonUpdate({ person: adminPersonView(world(), row) })
        : contract.badPerson()
    }),

    on(contract.signOutPerson, async ({ params: { id }, team: { id: actorId }, ip }) => {
      if (isOff) return badEndpoint()
      const outcome = await db.change((tx) => endAllSessions(tx, { id, now: now() }, { actorId, ip }))
      return outcome === 'done' ? contract.goodAdminPersonSignOut() : refusals[outcome]()
    }),
  ]
}

/** Empty for none that fits the field. */
function answerOf({ world, definitions }: PeopleDeps, personId: string, field: string): string {
  const fields = fieldsOf(definitions(), 'person').filter(({ id }) => id === field)
  return fittingAnswers(fields, world().rows(personAnswerRows)(personId))[field] ?? ''
}

/** By name, or as in the team. */
function matching(world: WorldView, search: string | undefined, teamId: string | undefined): PersonRow[] {
  const persons = world.rows(personRows)
  const text = search?.toLowerCase() ?? ''
  const has = (value: string | null | undefined) => value?.toLowerCase().includes(text) ?? false
  const rows = teamId === undefined ? [...persons.all()] : [...persons.ofTeam(teamId)]
  const found = rows.filter(
    ({ name, email, teamId: team }) =>
      text === '' || has(name) || has(email) || (team !== null && has(world.team(team)?.name)),
  )
  if (teamId !== undefined) return found
  return found.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
}
