import type { Challenge, WorldView } from '../../world/model.ts'
import { instanceSettings } from './settings.ts'

/** The challenge that an engine knows by this name; of several that share it, the first. */
export function findChallengeOf(world: WorldView, integrationId: string): Challenge | null {
  return world.challenges().find((challenge) => integrationIdOf(challenge) === integrationId) ?? null
}

/** Null for challenges without instances, and for those whose settings cannot be read. */
function integrationIdOf(challenge: Challenge): string | null {
  try {
    return instanceSettings(challenge)?.integrationId ?? null
  } catch {
    return null
  }
}
