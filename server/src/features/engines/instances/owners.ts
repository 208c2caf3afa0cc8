import type { Challenge, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'
import type { Caller } from '../../contest/challenges/visible.ts'
import { instanceSettings } from './settings.ts'

/**
 * Owner of the instances that checks of the deployment start. No team has this id. They stop their instances themselves, and what
 * a killed process leaves behind ends by its short lifetime.
 */
export const CHECK_TEAM_ID = 'pennant-doctor'

/** Whether the team sees a challenge that has this integration id. */
export function isOpenToTeam(world: WorldView, integrationId: string, team: NonNullable<Caller>): boolean {
  return world
    .challenges()
    .some(
      (challenge) =>
        integrationIdOf(challenge) === integrationId && findPublicChallenge(world, challenge.id, team),
    )
}

/** The challenge with this integration id. If several share it, the first one. */
export function findChallengeOf(world: WorldView, integrationId: string): Challenge | null {
  return world.challenges().find((challenge) => integrationIdOf(challenge) === integrationId) ?? null
}

/** Null for challenges without instances, and for those with invalid settings. */
function integrationIdOf(challenge: Challenge): string | null {
  try {
    return instanceSettings(challenge)?.integrationId ?? null
  } catch {
    return null
  }
}
