import type { WorldView } from '../world/model.ts'

export interface UnrankedSolve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
}

export interface RankedSolve extends UnrankedSolve {
  readonly globalRank: number
  readonly divisionRank: number
}

/**
 * Ranks to record on solves that count: by teams that are not banned, on public challenges, during the event. The
 * world computes them right after it applies the solve. A solve that starts to count later, for example after an
 * unban, gets the current ranks.
 */
export function ranksOf(world: WorldView, solves: readonly UnrankedSolve[]): RankedSolve[] {
  return solves.flatMap((solve) => {
    const seen = world.solve(solve.challengeId, solve.teamId)
    // Deleted and created again since; the new solve has its own row.
    if (seen?.id !== solve.id || seen.createdAt > world.endTime) return []
    if (world.challenge(solve.challengeId)?.isPublic !== true) return []
    const { globalRank, divisionRank } = seen.globalRank === null ? world.standing(solve.teamId) : seen
    if (globalRank === null || divisionRank === null) return []
    return [{ ...solve, globalRank, divisionRank }]
  })
}
