import type { Challenge, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import type { Caller } from '../challenges/visible.ts'

/** Points by team id. */
export type Scores = ReadonlyMap<string, number>

/** If a team has several entries, the last one counts. */
export function lastScores(entries: readonly { readonly userId: string; readonly points: number }[]): Scores {
  return new Map(entries.map(({ userId, points }) => [userId, points]))
}

/** The challenge if it is public, open for the caller and has a score per team, otherwise null. */
export function findScored(world: WorldView, id: string, caller: Caller): Challenge | null {
  const challenge = findPublicChallenge(world, id, caller)
  return challenge?.scoringKind === 'dynamic' ? challenge : null
}
