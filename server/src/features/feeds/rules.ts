import type { Challenge, WorldView } from '../../world/model.ts'

/** Points by team id. */
export type Scores = ReadonlyMap<string, number>

/** If a team has several entries, the last one counts. */
export function lastScores(entries: readonly { readonly userId: string; readonly points: number }[]): Scores {
  return new Map(entries.map(({ userId, points }) => [userId, points]))
}

/** The challenge if it is public and has a score per team, otherwise null. */
export function findScored(world: WorldView, id: string): Challenge | null {
  const challenge = world.challenge(id)
  return challenge?.isPublic && challenge.scoringKind === 'dynamic' ? challenge : null
}
