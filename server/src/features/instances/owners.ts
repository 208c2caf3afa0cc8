import type { Challenge, WorldView } from '../../world/model.ts'
import { instanceSettings } from './settings.ts'

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
