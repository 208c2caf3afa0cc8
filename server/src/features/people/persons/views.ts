import type { AdminPerson, Me, TeamPeople } from '@pennant/contract/people.ts'
import type { z } from 'zod'
import { ownsCredentials, type Actor } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { isLocked, mayCreateTeams, type PeopleDeps } from './people-deps.ts'
import { personRows, type PersonRow } from './rows.ts'

export function meView(deps: PeopleDeps, row: PersonRow, perms: number): z.input<typeof Me> {
  const { world, people } = deps
  const { id, name, email, teamId, isCaptain, joinedAt } = row
  const team = teamId === null ? undefined : world().team(teamId)
  const isAlone = teamId !== null && world().rows(personRows).ofTeam(teamId).length === 1
  return {
    person: { id, name, email, isCaptain, joinedAt },
    team: team ? { id: team.id, name: team.name } : null,
    perms,
    mayCreateTeam: !team && mayCreateTeams(deps),
    mayJoin: !team && !people.individual && !isLocked(deps),
    mayLeave: team !== undefined && !people.individual && !isLocked(deps) && (!isCaptain || isAlone),
  }
}

interface Team {
  readonly actor: Actor
  readonly joinCode: string | null
}

export function teamPeopleView(deps: PeopleDeps, { actor, joinCode }: Team): z.input<typeof TeamPeople> {
  const { world, people } = deps
  const rows = world().rows(personRows).ofTeam(actor.id)
  return {
    people: rows.map(({ id, name, isCaptain, joinedAt }) => ({
      id,
      name,
      isCaptain,
      joinedAt: joinedAt ?? 0,
    })),
    joinCode: people.individual ? null : joinCode,
    maxTeamSize: people.individual ? 1 : people.maxTeamSize,
    isLocked: people.individual || isLocked(deps),
    mayManage: ownsCredentials(actor),
    tokenOff: world().team(actor.id)?.tokenOff ?? false,
  }
}

export function adminPersonView(world: WorldView, row: PersonRow): z.input<typeof AdminPerson> {
  const { id, name, email, teamId, isCaptain, joinedAt, createdAt } = row
  const teamName = teamId === null ? null : (world.team(teamId)?.name ?? null)
  return { id, name, email, teamId, teamName, isCaptain, joinedAt, createdAt }
}
