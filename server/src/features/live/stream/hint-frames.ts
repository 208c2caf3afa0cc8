import type { StreamEventData } from '@pennant/contract/stream.ts'
import { hintCountOf, hintReleaseAt, hintsOf } from '../../contest/hints/rows.ts'
import type { WorldView } from '../../../world/model.ts'
import { frame } from './frames.ts'

/** The data of the event for those of the challenges that are public; null without any. */
export function hintCounts(
  challengeIds: readonly string[],
  world: WorldView,
): StreamEventData<'hint'> | null {
  const challenges = [...new Set(challengeIds)].flatMap((id) => {
    const challenge = world.challenge(id)
    return challenge?.isPublic ? { id, hints: hintCountOf(challenge) } : []
  })
  return challenges.length > 0 ? { challenges } : null
}

export function hintFrame(challengeIds: readonly string[], world: WorldView): string {
  const data = challengeIds.length > 0 ? hintCounts(challengeIds, world) : null
  return data ? frame('hint', data) : ''
}

/** The public challenges with a hint that the clock released after a moment, except for the named hints. */
export function hintsReleasedSince(
  since: number,
  { world, now }: { readonly world: WorldView; readonly now: number },
  named: ReadonlySet<string> = new Set(),
): string[] {
  return world
    .publicChallenges()
    .filter((challenge) =>
      hintsOf(world, challenge.id).some((hint) => {
        const at = hintReleaseAt(hint, challenge, world)
        return at !== null && at > since && at <= now && !named.has(hint.id)
      }),
    )
    .map(({ id }) => id)
}
