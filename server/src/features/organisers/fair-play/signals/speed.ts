import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import type { AttemptFact, Facts } from './facts.ts'
import { signal, type Signal } from './signal.ts'
import { solvesByChallenge } from './solves.ts'

/** With fewer solvers there is no usual time. */
const MIN_SOLVERS = 5

/** Solves that came implausibly soon after the release of the challenge, or after the solve of another team. */
export function fastSolves(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const solves = solvesByChallenge(facts)
  return facts.challenges.flatMap(({ id, openedAt }) => {
    const attempts = solves.get(id) ?? []
    if (attempts.length < MIN_SOLVERS || openedAt === null) return []
    const start = Math.max(openedAt, facts.startTime)
    return [...soonAfterRelease(attempts, start, thresholds), ...soonAfterTeam(attempts, thresholds)]
  })
}

function soonAfterRelease(
  attempts: readonly AttemptFact[],
  openedAt: number,
  { releaseSeconds, releaseShare }: FairPlayThresholds,
): Signal[] {
  const usual = (attempts[Math.floor(attempts.length / 2)]?.at ?? openedAt) - openedAt
  return attempts.flatMap(({ id, teamId, challengeId, at }) => {
    const delay = at - openedAt
    if (delay < 0 || delay > releaseSeconds * SECOND_MS || delay > usual * releaseShare) return []
    const evidence = { seconds: Math.round(delay / 1000), usualSeconds: Math.round(usual / 1000) }
    return [
      signal({
        kind: 'soonAfterRelease',
        teamIds: [teamId],
        challengeId,
        at,
        submissionIds: [id],
        evidence,
      }),
    ]
  })
}

function soonAfterTeam(
  attempts: readonly AttemptFact[],
  { followSeconds, followChance }: FairPlayThresholds,
): Signal[] {
  return attempts.flatMap((solve, at) => {
    const leader = attempts[at - 1]
    const distance = leader ? solve.at - leader.at : Infinity
    if (!leader || distance > followSeconds * SECOND_MS) return []
    const chance = chanceOf(attempts, at, distance)
    if (chance > followChance) return []
    const { id, teamId, challengeId } = solve
    const evidence = { seconds: Math.round(distance / 1000), chance: Number(chance.toPrecision(2)) }
    return [
      signal({
        kind: 'soonAfterTeam',
        teamIds: [teamId, leader.teamId],
        challengeId,
        at: solve.at,
        submissionIds: [id, leader.id],
        evidence,
      }),
    ]
  })
}

/** Solves around one that show how dense solves are at that time. */
const NEIGHBOURS = 8

/** Chance that a solve follows as soon, if the solves around it came independently and at random times. */
function chanceOf(attempts: readonly AttemptFact[], at: number, distance: number): number {
  const around = attempts.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1)
  const span = (around.at(-1)?.at ?? 0) - (around[0]?.at ?? 0)
  if (span <= distance) return 1
  return 1 - Math.exp((-(around.length - 1) * distance) / span)
}
