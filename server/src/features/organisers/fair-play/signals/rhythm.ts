import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import type { AttemptFact, Facts } from './facts.ts'
import { signal, type Signal } from './signal.ts'
import { solvesByChallenge } from './solves.ts'

// One team solves what another one solved, shortly after it, again and again.

/** Solves before one solve that are compared with it. More within minutes is a crowd, which shows nothing. */
const MAX_LEADERS = 40
/** A crowd: this share of the solvers follows within the same time. */
const CROWD_SHARE = 0.5

interface Step {
  readonly solve: AttemptFact
  readonly seconds: number
  /** Logarithm of the share of solvers that follow as closely. */
  readonly chance: number
}

/** Steps of one team behind another one. */
interface Pair {
  readonly leaderId: string
  readonly followerId: string
  readonly steps: Step[]
}

export function sameRhythms(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const solves = solvesByChallenge(facts)
  const solved = solvedBy(solves)
  const pairs = followers(solves, thresholds)
  // Any of these could follow any other by chance.
  const possible = Math.log10(Math.max(1, solved.size * (solved.size - 1)))
  const limit = Math.log10(thresholds.rhythmChance)
  return pairs.flatMap((pair) => {
    const { leaderId, followerId, steps } = pair
    const last = steps.at(-1)
    if (!last || steps.length < thresholds.rhythmSolves) return []
    const common = [...(solved.get(followerId) ?? [])].filter((id) => solved.get(leaderId)?.has(id)).length
    // Expected number of pairs in the event with as many steps as short, if teams were independent.
    const expected =
      possible + choose(common, steps.length) + steps.reduce((sum, { chance }) => sum + chance, 0)
    if (expected > limit) return []
    const [first] = steps
    return [
      signal({
        kind: 'sameRhythm',
        teamIds: [followerId, leaderId],
        challengeId: null,
        at: last.solve.at,
        submissionIds: steps.map(({ solve }) => solve.id),
        evidence: {
          solves: steps.length,
          common,
          seconds: Math.round(steps.reduce((sum, { seconds }) => sum + seconds, 0) / steps.length),
          expectedByChance: Number((10 ** expected).toPrecision(2)),
          since: first?.solve.at ?? last.solve.at,
        },
      }),
    ]
  })
}

function solvedBy(solves: ReadonlyMap<string, readonly AttemptFact[]>): Map<string, Set<string>> {
  const solved = new Map<string, Set<string>>()
  for (const [challengeId, attempts] of solves)
    for (const { teamId } of attempts) {
      const known = solved.get(teamId) ?? new Set<string>()
      solved.set(teamId, known)
      known.add(challengeId)
    }
  return solved
}

/** Pairs with enough steps. They are counted before any step is made, because nearly all pairs have one or two. */
function followers(
  solves: ReadonlyMap<string, readonly AttemptFact[]>,
  { rhythmMinutes, rhythmSolves }: FairPlayThresholds,
): Pair[] {
  const windowMs = rhythmMinutes * MINUTE_MS
  const numbers = new Map<string, number>()
  const numberOf = (teamId: string) => {
    const known = numbers.get(teamId) ?? numbers.size
    numbers.set(teamId, known)
    return known
  }
  const keyOf = (leader: AttemptFact, follower: AttemptFact) =>
    numberOf(leader.teamId) * MAX_TEAMS + numberOf(follower.teamId)
  const counts = new Map<number, number>()
  for (const attempts of solves.values())
    for (const [leader, follower] of neighbours(attempts, windowMs)) {
      const key = keyOf(leader, follower)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  const pairs = new Map<number, Pair>()
  for (const attempts of solves.values())
    for (const [leader, solve] of neighbours(attempts, windowMs)) {
      const key = keyOf(leader, solve)
      if ((counts.get(key) ?? 0) < rhythmSolves) continue
      const share = shareWithin(attempts, leader.at, solve.at)
      const pair = pairs.get(key) ?? { leaderId: leader.teamId, followerId: solve.teamId, steps: [] }
      pairs.set(key, pair)
      const seconds = (solve.at - leader.at) / 1000
      if (share <= CROWD_SHARE) pair.steps.push({ solve, seconds, chance: Math.log10(share) })
    }
  for (const { steps } of pairs.values()) steps.sort((a, b) => a.solve.at - b.solve.at)
  return [...pairs.values()]
}

/** More than any contest has, so that a pair fits into one number. */
const MAX_TEAMS = 2 ** 24

/** Each solve with the solves before it, within the time. */
function* neighbours(
  attempts: readonly AttemptFact[],
  windowMs: number,
): Generator<readonly [leader: AttemptFact, follower: AttemptFact]> {
  for (const [at, solve] of attempts.entries())
    for (let before = at - 1; before >= Math.max(0, at - MAX_LEADERS); before -= 1) {
      const leader = attempts[before]
      if (!leader || solve.at - leader.at > windowMs) break
      yield [leader, solve]
    }
}

/** Share of the solvers that came after the one and not after the other: chance of following it by as few places. */
function shareWithin(attempts: readonly AttemptFact[], from: number, until: number): number {
  return Math.max(1, upTo(attempts, until) - upTo(attempts, from)) / attempts.length
}

/** Number of solves until a time. */
function upTo(attempts: readonly AttemptFact[], time: number): number {
  let low = 0
  let high = attempts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((attempts[middle]?.at ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Logarithm of the number of ways to choose. */
function choose(total: number, chosen: number): number {
  let log = 0
  for (let step = 0; step < chosen; step += 1) log += Math.log10((total - step) / (step + 1))
  return log
}
