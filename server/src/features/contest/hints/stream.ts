import type { StreamEventData } from '@pennant/contract/stream.ts'
import type { WorldView } from '../../../world/model.ts'
import { maySeeChallenges, teamsOfPairs, type StreamKind } from '../kinds/stream-kind.ts'
import { hintCountOf, hintReleaseAt, hintRows, hintsOf, purchaseRows } from './rows.ts'

/** The numbers of hints, for those of the challenges that are public. */
function countsOf(challengeIds: Iterable<string>, world: WorldView): StreamEventData<'hint'> | null {
  const challenges = [...new Set(challengeIds)].flatMap((id) => {
    const challenge = world.challenge(id)
    return challenge?.isPublic ? [{ id, hints: hintCountOf(challenge) }] : []
  })
  return challenges.length > 0 ? { challenges } : null
}

/** The challenges of those of the hints that are released. */
function challengesOfReleased(hintIds: readonly string[], world: WorldView, now: number): string[] {
  return hintIds.flatMap((id) => {
    const hint = world.rows(hintRows).byId.get(id)
    const challenge = hint && world.challenge(hint.challengeId)
    if (!hint || !challenge) return []
    return (hintReleaseAt(hint, challenge, world) ?? Infinity) <= now ? [challenge.id] : []
  })
}

/** Hints that wait for their release must not leak, so an entry counts for the challenges of released ones. */
export const hintEvents: StreamKind<'hint', readonly string[]> = {
  name: 'hint',
  entryKind: hintRows.kind,
  mayReceive: maySeeChallenges,
  know: (ids, world) => challengesOfReleased(ids, world, world.now),
  data: ({ ids, known }, _receiver, { world, now }) =>
    countsOf([...known, ...challengesOfReleased(ids, world, now)], world),
  clock: {
    since: (after, { world, now }, named) =>
      world
        .publicChallenges()
        .filter((challenge) =>
          hintsOf(world, challenge.id).some((hint) => {
            const at = hintReleaseAt(hint, challenge, world)
            return at !== null && at > after && at <= now && !named.has(hint.id)
          }),
        )
        .map(({ id }) => id),
    data: (challengeIds, _receiver, { world }) => countsOf(challengeIds, world),
  },
}

/** Team mates learn of a purchase. A refund deletes the hint, so its challenge is recorded. */
export const purchaseEvents: StreamKind<'hint', ReadonlyMap<string, string>> = {
  name: 'hint',
  entryKind: purchaseRows.kind,
  mayReceive: () => true,
  know: challengesOfHints,
  teams: teamsOfPairs,
  data({ ids, known }, { teamId }, { world }) {
    const own = ids.filter((_, index) => ids[index + 1] === teamId && index % 2 === 0)
    const now = challengesOfHints(own, world)
    return countsOf(
      own.flatMap((id) => now.get(id) ?? known.get(id) ?? []),
      world,
    )
  },
}

function challengesOfHints(ids: readonly string[], world: WorldView): Map<string, string> {
  const { byId } = world.rows(hintRows)
  return new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)?.challengeId ?? '']] : [])))
}
