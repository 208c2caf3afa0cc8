import type { LatestSolve } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { Solve } from '../../../world/reads.ts'
import { bloodIndexOf } from '../../contest/challenges/rules.ts'
import { assistedMark, trackMark } from '../../contest/visibility/tracks.ts'

/** A counted solve of a public challenge. */
export interface FoundSolve {
  readonly challenge: Challenge
  readonly solve: Solve
  /** Its place among the solves is not shown. */
  readonly isUnplaced?: true
}

export function latestSolve(
  world: WorldView,
  { challenge, solve, isUnplaced }: FoundSolve,
): z.input<typeof LatestSolve> {
  const team = world.team(solve.teamId)
  return {
    id: solve.id,
    challengeId: challenge.id,
    challengeName: challenge.name,
    category: challenge.category,
    userId: solve.teamId,
    userName: team?.name ?? '',
    userAvatarUrl: team?.avatarUrl ?? null,
    createdAt: solve.createdAt,
    bloodIndex: isUnplaced ? null : bloodIndexOf(world.solvesOfChallenge(challenge.id), solve.teamId),
    ...trackMark(world, solve.teamId),
    ...assistedMark(world, solve),
  }
}
