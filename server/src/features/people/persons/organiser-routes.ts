import * as contract from '@pennant/contract/organiser-people.ts'
import { badPerson, badTeamFull } from '@pennant/contract/people.ts'
import { needsSecondFactor, type SecondFactorRole } from '@pennant/contract/permissions.ts'
import { badEndpoint, badUnknownUser } from '@pennant/contract/replies.ts'
import { badSession } from '@pennant/contract/sessions.ts'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import * as store from './organiser-store.ts'
import type { PeopleDeps } from './people-deps.ts'
import { permissionsOf } from './permissions.ts'
import { personRows, type PersonRow } from './rows.ts'

export interface OrganiserPeopleDeps extends PeopleDeps {
  readonly demanded: readonly SecondFactorRole[]
  /** The personal link of a new person. */
  readonly linkOf: (db: Queries, personId: string) => Promise<string | null>
}

/** People in teams with permissions, for owners. */
export function organiserPeopleRoutes(deps: OrganiserPeopleDeps): Endpoint[] {
  const { db, world, now } = deps
  const isOff = deps.people.mode === 'off'
  return [
    on(contract.listOrganiserPeople, async () => {
      if (isOff) return badEndpoint()
      const people = organisersOf(world()).slice(0, contract.organiserPeopleLimits.people)
      const factors = await store.countFactors(
        db,
        people.map(({ row }) => row.id),
      )
      const of = new Map(factors.map((each) => [each.id, each]))
      return contract.goodOrganiserPeople({
        people: people.map((each) => personView(each, of.get(each.row.id), deps.demanded)),
      })
    }),

    on(contract.listOrganiserSessions, async ({ person }) => {
      if (isOff) return badEndpoint()
      const { sessions: limit } = contract.organiserPeopleLimits
      const rows = await store.listOrganiserSessions(db, now(), limit)
      const sessions = rows.flatMap(({ personId, ...session }) => {
        const row = world().rows(personRows).find(personId)
        const team = row && row.teamId !== null ? world().team(row.teamId) : undefined
        if (!row || !team) return []
        const isCurrent = session.id === person?.sessionId
        return [{ ...session, person: { id: personId, name: row.name }, teamName: team.name, isCurrent }]
      })
      return contract.goodOrganiserSessions({ sessions })
    }),

    ...changes(deps),
  ]
}

const byOf = ({ team, ip }: { readonly team: Actor; readonly ip: string }) => ({ actorId: team.id, ip })

function changes(deps: OrganiserPeopleDeps): Endpoint[] {
  const { db, now, caughtUp, people } = deps
  const isOff = people.mode === 'off'
  /** Resolves once this process knows the change. */
  const change = async <T>(write: (tx: ChangeTransaction) => Promise<T>) => {
    const outcome = await db.change(write)
    await caughtUp()
    return outcome
  }
  return [
    on(contract.addOrganiserPerson, async (call) => {
      if (isOff) return badEndpoint()
      const team = deps.world().team(call.params.id)
      if (!team) return badUnknownUser()
      if (team.perms === 0) return contract.badNoOrganisers()
      const { maxTeamSize } = people
      const wanted = { ...call.body.data, teamId: team.id, now: now(), maxTeamSize }
      const made = await change(async (tx) => {
        const id = await store.addOrganiser(tx, wanted, byOf(call))
        const link = id === null ? null : await deps.linkOf(tx, id)
        return id === null || link === null ? null : { id, link }
      })
      return made ? contract.goodOrganiserPersonAdd(made) : badTeamFull()
    }),

    on(contract.setPersonPermissions, async (call) => {
      if (isOff) return badEndpoint()
      const { id } = call.params
      if (call.person?.id === id) return contract.badOwnPermissions()
      const { perms } = call.body.data
      const isDone = await change((tx) => store.setPersonPerms(tx, { id, perms }, byOf(call)))
      return isDone ? contract.goodOrganiserPersonUpdate() : badPerson()
    }),

    on(contract.resetSecondFactor, async (call) => {
      if (isOff) return badEndpoint()
      const { id } = call.params
      if (call.person?.id === id) return contract.badOwnPermissions()
      const isDone = await change((tx) => store.removeFactors(tx, { id, now: now() }, byOf(call)))
      return isDone ? contract.goodSecondFactorReset() : badPerson()
    }),

    on(contract.endOrganiserSession, async (call) => {
      if (isOff) return badEndpoint()
      const ended = { id: call.params.id, now: now() }
      const isDone = await change((tx) => store.endOrganiserSession(tx, ended, byOf(call)))
      return isDone ? contract.goodOrganiserSessionEnd() : badSession()
    }),
  ]
}

interface InTeam {
  readonly row: PersonRow
  readonly team: TeamRow
}

/** By team, the captain first. */
function organisersOf(world: WorldView): InTeam[] {
  const teams = [...world.teams()].filter(({ perms }) => perms !== 0)
  teams.sort((left, right) => left.name.localeCompare(right.name))
  return teams.flatMap((team) =>
    world
      .rows(personRows)
      .ofTeam(team.id)
      .map((row) => ({ row, team })),
  )
}

function personView(
  { row, team }: InTeam,
  factors: Awaited<ReturnType<typeof store.countFactors>>[number] | undefined,
  demanded: readonly SecondFactorRole[],
) {
  const { perms } = permissionsOf(team, { person: row, isConfirmed: true }, demanded)
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    team: { id: team.id, name: team.name, perms: team.perms },
    ownPerms: row.perms,
    perms,
    needsSecondFactor: needsSecondFactor(perms, demanded),
    passkeys: factors?.passkeys ?? 0,
    recoveryCodes: factors?.recoveryCodes ?? 0,
  }
}
