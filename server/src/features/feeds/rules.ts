import type { Challenge, WorldView } from '../../world/model.ts'

/** Points by team id. */
export type Scores = ReadonlyMap<string, number>

/** Of several entries for one team the last one counts. */
export function lastScores(entries: readonly { readonly userId: string; readonly points: number }[]): Scores {
  return new Map(entries.map(({ userId, points }) => [userId, points]))
}

/** The challenge, if participants may know of it and its scores differ per team. */
export function findScored(world: WorldView, id: string): Challenge | null {
  const challenge = world.challenge(id)
  return challenge?.isPublic && challenge.scoringKind === 'dynamic' ? challenge : null
}
