import type { AdminInstance } from '@pennant/contract/admin-instances.ts'
import type { z } from 'zod'
import { actingPerson, type PersonName } from '../../../lib/acting-person.ts'
import type { WorldView } from '../../../world/model.ts'
import { findChallengeOf } from './owners.ts'
import type { Slot } from './slots.ts'
import type { EngineView } from './watch.ts'

interface Context {
  readonly world: WorldView
  readonly now: number
  readonly personName: PersonName
}

type Row = z.input<typeof AdminInstance>

/**
 * The instances that the engines list, and the capacity slots for engines that cannot. Sorted by challenge,
 * then team.
 */
export function adminInstances(
  views: readonly EngineView[],
  slots: readonly Slot[],
  { world, now, personName }: Context,
): Row[] {
  const silent = new Set(
    views.filter(({ instances }) => instances === null).map(({ instancer }) => instancer),
  )
  const starting = new Set(
    slots
      .filter(({ startingUntil }) => startingUntil !== null && startingUntil.getTime() > now)
      .map((slot) => keyOf(slot.instancer, slot)),
  )
  const isStarting = (name: string, key: Pick<Slot, 'teamId' | 'integrationId'>) =>
    starting.has(keyOf(name, key))
  const starters = new Map(slots.map((slot) => [keyOf(slot.instancer, slot), slot.personId]))
  const starterOf = (name: string, key: Pick<Slot, 'teamId' | 'integrationId'>) =>
    actingPerson(starters.get(keyOf(name, key)) ?? null, personName)
  const listed = views.flatMap(({ instancer, instances }) =>
    (instances ?? []).map(({ teamId, integrationId, status, timeLeftMs, host, restarts }) => ({
      ...ownerOf(teamId, integrationId, world),
      instancer,
      host,
      status: isStarting(instancer, { teamId, integrationId }) ? ('starting' as const) : status,
      timeLeftMilliseconds: timeLeftMs,
      ...(restarts !== undefined && { restarts }),
      ...starterOf(instancer, { teamId, integrationId }),
    })),
  )
  const booked = slots
    .filter(({ instancer }) => silent.has(instancer))
    .map(({ instancer, teamId, integrationId, endsAt }) => ({
      ...ownerOf(teamId, integrationId, world),
      instancer,
      host: null,
      status: null,
      timeLeftMilliseconds: Math.max(0, endsAt.getTime() - now),
      ...starterOf(instancer, { teamId, integrationId }),
    }))
  return [...listed, ...booked].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function ownerOf(teamId: string, challengeIntegrationId: string, world: WorldView) {
  const challenge = findChallengeOf(world, challengeIntegrationId)
  return {
    userId: teamId,
    userName: world.team(teamId)?.name ?? null,
    challengeIntegrationId,
    challengeId: challenge?.id ?? null,
    challengeName: challenge?.name ?? null,
  }
}

function nameOf({
  challengeIntegrationId,
  userName,
  userId,
  instancer,
}: Omit<Row, 'status' | 'host'>): string {
  return JSON.stringify([challengeIntegrationId, userName ?? '', userId, instancer])
}

function keyOf(instancer: string, { teamId, integrationId }: Pick<Slot, 'teamId' | 'integrationId'>): string {
  return JSON.stringify([instancer, teamId, integrationId])
}
