import type { Blood } from '../../../providers/messages/messages.ts'
import type { WorldView } from '../../../world/model.ts'
import { visibleToAll } from '../challenges/visible.ts'
import { takesBloods } from '../visibility/tracks.ts'

/**
 * The database dates solves, this process checks the start time. The dashboard warns if their clocks differ
 * by more. A solve in the first moments must not be missed.
 */
const CLOCK_TOLERANCE_MS = 2_000

/**
 * Whether the solve can be announced to players. Organisers test challenges before the start, and a queued
 * message can become outdated: the challenge may have been hidden, the team banned or
 * moved to a track without first bloods, or the solve deleted since.
 */
export function isAnnounceable(world: WorldView, blood: Blood, now: number): boolean {
  // Messengers are public, as pages that all teams share.
  const challenge = visibleToAll(world).world.challenge(blood.challenge.id)
  const team = world.team(blood.team.id)
  if (!challenge?.isPublic || !team || team.banned || !world.hasSolved(challenge.id, team.id)) return false
  if (now < world.startTime || !takesBloods(world, team.id)) return false
  const publicSince = Math.max(world.startTime, challenge.releaseAt ?? -Infinity)
  return blood.time + CLOCK_TOLERANCE_MS >= publicSince
}
