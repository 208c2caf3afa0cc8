import type { WorldView } from '../world/model.ts'

export interface Unplaced {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
}

export interface Placed extends Unplaced {
  readonly globalPlace: number
  readonly divisionPlace: number
}

/**
 * The present places of the solves that count: of teams that are not banned, on public challenges, inside the event
 * (contract, admin 1.1).
 */
export function placesOf(world: WorldView, solves: readonly Unplaced[]): Placed[] {
  return solves.flatMap((solve) => {
    const seen = world.solve(solve.challengeId, solve.teamId)
    // Made again since: the new one has its own row.
    if (seen?.id !== solve.id || seen.createdAt > world.endTime) return []
    if (world.challenge(solve.challengeId)?.isPublic !== true) return []
    const { globalPlace, divisionPlace } = world.standing(solve.teamId)
    if (globalPlace === null || divisionPlace === null) return []
    return [{ ...solve, globalPlace, divisionPlace }]
  })
}
