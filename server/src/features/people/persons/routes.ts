import {
  badRegistrationCode,
  badRegistrationsDisabled,
  badRegistrationsFull,
} from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/people.ts'
import { badEndpoint, badKnownName, badPerms, badToken } from '@pennant/contract/replies.ts'
import { badDivisionNotAllowed } from '@pennant/contract/teams.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { on, type Actor, type Call, type Endpoint } from '../../../http/handler.ts'
import { refuse } from '../../../http/request/validate.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'
import { readActivity } from './activity.ts'
import { declarationRefusals } from '../tracks/refusals.ts'
import * as membership from './membership.ts'
import { isLocked, placeAnswers, type PeopleDeps } from './people-deps.ts'
import { personNames, personRows } from './rows.ts'
import { createOwnTeamOf } from './team-creation.ts'
import { meView, teamPeopleView } from './views.ts'

/** What people do for themselves, and teams with their people. Without people no token is that of a person. */
export function peopleRoutes(deps: PeopleDeps): Endpoint[] {
  const { db, world, now, people } = deps
  const noJoins = people.mode === 'off' || people.individual
  const rowOf = (id: string) => world().rows(personRows).find(id)

  return [
    on(contract.readMe, ({ person, team }) => {
      const row = rowOf(person.id)
      if (!row) throw new Error('the person of a session does not exist')
      return contract.goodPerson(meView(deps, row, team?.perms ?? 0))
    }),

    on(contract.updateMe, async ({ person: { id }, team, body: { name } }) => {
      await change(deps, (tx) => membership.renamePerson(tx, id, name))
      const row = rowOf(id)
      return row ? contract.goodPersonUpdate(meView(deps, row, team?.perms ?? 0)) : badToken()
    }),

    on(contract.createOwnTeam, (call) => createOwnTeam(deps, call)),

    on(contract.askJoin, async ({ body: { code } }) => {
      if (noJoins) return badEndpoint()
      const team = await membership.findByJoinCode(db, code)
      if (!team) return contract.badJoinCode()
      const isFull = team.size >= people.maxTeamSize
      return contract.goodJoinInfo({ teamName: team.name, isFull, isLocked: isLocked(deps) })
    }),

    on(contract.joinTeam, async ({ person, body: { code, personFields } }) => {
      if (noJoins) return badEndpoint()
      const { answers, refused } = placeAnswers(deps, person.id, personFields)
      if (refused) return refused
      const { maxTeamSize, mode } = people
      const rules = { maxTeamSize, isLocked: isLocked(deps), isPersonRequired: mode === 'required' }
      const joining = { personId: person.id, code, answers, now: now() }
      const joined = await change(deps, (tx) => membership.joinByCode(tx, joining, rules))
      if (typeof joined === 'string') return joinRefusals[joined]()
      return contract.goodPlace({ team: { id: joined.id, name: joined.name } })
    }),

    on(contract.leaveTeam, async ({ person }) => {
      if (noJoins) return badEndpoint()
      if (isLocked(deps)) return contract.badTeamLocked()
      const outcome = await change(deps, (tx) => membership.leave(tx, { personId: person.id }))
      return outcome === 'done' ? contract.goodLeave() : leaveRefusals[outcome]()
    }),

    ...teamRoutes(deps),
  ]
}

const joinRefusals = {
  gone: badToken,
  code: contract.badJoinCode,
  'in-team': contract.badInTeam,
  locked: contract.badTeamLocked,
  full: contract.badTeamFull,
}

const leaveRefusals = { 'no-team': contract.badNotInTeam, 'hand-over': contract.badHandOver }

/** Resolves once this process knows the change, so that the reply and the next request have it. */
async function change<T>({ db, caughtUp }: PeopleDeps, write: (tx: ChangeTransaction) => Promise<T>) {
  const outcome = await db.change(write)
  await caughtUp()
  return outcome
}

async function createOwnTeam(deps: PeopleDeps, { person, body }: Call<typeof contract.createOwnTeam>) {
  const { name, division, registrationCode: code, declared, fields, personFields } = body
  const made = await createOwnTeamOf(deps, person, { name, division, code, declared, fields, personFields })
  if (typeof made !== 'string' && 'refused' in made) return made.refused
  if (made === 'name') return refuse('body', 'name', 'is missing')
  return typeof made === 'string' ? creationRefusals[made]() : contract.goodPlace({ team: made })
}

const creationRefusals = {
  ...declarationRefusals,
  closed: badRegistrationsDisabled,
  division: badDivisionNotAllowed,
  gone: badToken,
  'in-team': contract.badInTeam,
  known: badKnownName,
  code: badRegistrationCode,
  full: badRegistrationsFull,
}

/** For a sign-in in an event for individuals: the kind of refusal, or null if the person has a team now. */
export function teamCreation(deps: PeopleDeps) {
  return async (person: Parameters<typeof createOwnTeamOf>[1]): Promise<string | null> => {
    await deps.caughtUp()
    const made = await createOwnTeamOf(deps, person, {})
    if (typeof made !== 'string') return 'refused' in made ? made.refused.reply.kind : null
    // Another sign-in of the person was faster.
    if (made === 'in-team' || made === 'name') return null
    return creationRefusals[made]().reply.kind
  }
}

function teamRoutes(deps: PeopleDeps): Endpoint[] {
  const { db, world, visibility, people } = deps
  const isOff = people.mode === 'off'
  const noJoins = isOff || people.individual
  async function teamPeople(actor: Actor) {
    const joinCode = await membership.readJoinCode(db, actor.id)
    return contract.goodTeamPeople(teamPeopleView(deps, { actor, joinCode }))
  }
  return [
    on(contract.listTeamPeople, ({ team }) => {
      if (isOff) return badEndpoint()
      return team.isExternal ? badPerms() : teamPeople(team)
    }),

    on(contract.readTeamActivity, async ({ team }) => {
      if (isOff) return badEndpoint()
      if (team.isExternal) return badPerms()
      const seen = visibility.seenBy(team).world
      const challengeName = (id: string) => findPublicChallenge(seen, id, team)?.name ?? null
      const names = { challengeName, personName: personNames(world) }
      return contract.goodTeamActivity(await readActivity(db, team.id, names))
    }),

    on(contract.setJoinLink, async ({ team, body: { isOn } }) => {
      if (noJoins) return badEndpoint()
      await membership.writeJoinCode(db, team.id, isOn ? membership.newJoinCode() : null)
      return await teamPeople(team)
    }),

    on(contract.removeTeamPerson, async ({ team, params: { id } }) => {
      if (noJoins) return badEndpoint()
      if (isLocked(deps)) return contract.badTeamLocked()
      const outcome = await change(deps, (tx) => membership.leave(tx, { personId: id, teamId: team.id }))
      return outcome === 'done' ? await teamPeople(team) : leaveRefusals[outcome]()
    }),

    on(contract.setCaptain, async ({ team, body: { id } }) => {
      if (isOff) return badEndpoint()
      const isDone = await change(deps, (tx) => membership.makeCaptain(tx, { personId: id, teamId: team.id }))
      // A captain who handed over is a member now.
      const after =
        team.person && isDone
          ? { ...team, person: { ...team.person, isCaptain: team.person.id === id } }
          : team
      return isDone ? await teamPeople(after) : contract.badNotInTeam()
    }),

    on(contract.setOwnToken, async ({ team, body: { isOn } }) => {
      if (isOff) return badEndpoint()
      const isDone = await change(deps, (tx) => membership.switchOwnToken(tx, team.id, isOn))
      return isDone ? await teamPeople(team) : contract.badNoCaptain()
    }),
  ]
}
