import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import type { AttemptFact, Facts, SeenFact } from './facts.ts'
import { signal, type Signal } from './signal.ts'

/** Solves of challenges that the team never received, or whose instance it never started. */
export function unreadSolves(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const solves = facts.attempts.filter(({ result }) => result === 'correct')
  return [...unseen(solves, facts, thresholds), ...withoutInstance(solves, facts)]
}

function unseen(solves: readonly AttemptFact[], facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const { receivedSince } = facts
  if (receivedSince === null) return []
  const opened = new Map(facts.challenges.map(({ id, openedAt }) => [id, openedAt]))
  const wasReceived = firstTimes(facts.received)
  const found = solves.filter((solve) => {
    const openedAt = opened.get(solve.challengeId) ?? null
    // What was open before is known to no one.
    if (openedAt === null || Math.max(openedAt, facts.startTime) < receivedSince) return false
    return (wasReceived.get(keyOf(solve)) ?? Infinity) > solve.at
  })
  return [...groupBy(found, ({ teamId }) => teamId).values()].flatMap((missed) =>
    missed.length < thresholds.unseenSolves ? [] : missed.map((solve) => unread('unseenSolve', solve)),
  )
}

function withoutInstance(solves: readonly AttemptFact[], facts: Facts): Signal[] {
  const withInstances = new Set(
    facts.challenges.flatMap(({ id, hasInstances }) => (hasInstances ? [id] : [])),
  )
  const wasStarted = firstTimes(facts.started)
  const startsLost = new Set(facts.startsLost)
  return solves.flatMap((solve) => {
    if (!withInstances.has(solve.challengeId) || startsLost.has(solve.teamId)) return []
    return (wasStarted.get(keyOf(solve)) ?? Infinity) > solve.at ? [unread('noInstance', solve)] : []
  })
}

function unread(kind: 'unseenSolve' | 'noInstance', { id, teamId, challengeId, at }: AttemptFact): Signal {
  return signal({ kind, teamIds: [teamId], challengeId, at, submissionIds: [id], evidence: {} })
}

function firstTimes(seen: readonly SeenFact[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const each of seen) {
    const key = keyOf(each)
    times.set(key, Math.min(each.at, times.get(key) ?? Infinity))
  }
  return times
}

function keyOf({ teamId, challengeId }: { readonly teamId: string; readonly challengeId: string }): string {
  return JSON.stringify([teamId, challengeId])
}
