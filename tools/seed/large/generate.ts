import { createHash } from 'node:crypto'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { seeded, type Random } from '../../../server/src/ops/demo/random.ts'
import type { DataSet } from './sets.ts'

// Invents a contest. The same seed and set give the same contest.

/** The event began this long before it is measured, and goes on for as long. */
export const PAST_MS = 24 * HOUR_MS

/** Share of the teams that solve the easiest challenge, unless they are ranked. No one solves the hardest one. */
const EASIEST = 0.9
/** How much luck counts beside a team's strength. */
const LUCK = 0.35
/** Solves are sorted by time as numbers: the time times this, plus challenge and team. Both fit in 53 bits. */
const PAIRS = 2 ** 25

export interface Generated {
  readonly set: DataSet
  /** `team` and `challenge` are positions from 0; a team's position is its order by strength. */
  readonly teamIds: readonly string[]
  readonly challengeIds: readonly string[]
  /** Number of solves of each challenge. */
  readonly solverCounts: readonly number[]
  /** In order of time. */
  solve(index: number): GeneratedSolve
  hasSolved(team: number, challenge: number): boolean
}

export interface GeneratedSolve {
  readonly team: number
  readonly challenge: number
  /** Milliseconds since the start of the event. */
  readonly afterMs: number
}

export function generate(set: DataSet, seed = 'pennant'): Generated {
  const random = seeded(`${seed} ${set.name}`)
  const { teams, challenges, writers, isRanked = false } = set
  const solverCounts = countSolvers(set)
  const solved = new Uint8Array(teams * challenges)
  const keys = new Float64Array(solverCounts.reduce((sum, count) => sum + count, 0))
  let length = 0
  for (const [challenge, count] of solverCounts.entries()) {
    for (const team of solversOf({ teams, count, luck: isRanked ? 0 : LUCK }, random)) {
      const pair = challenge * teams + team
      solved[pair] = 1
      // In the order of the ranks, because teams with the same solves are ranked by the last one, and long enough ago that the
      // scoreboard shows no recent changes.
      const past = isRanked ? (challenge + team / teams) / challenges / 2 : random()
      keys[length] = Math.floor(past * PAST_MS) * PAIRS + pair
      length += 1
    }
  }
  keys.sort()
  return {
    set,
    teamIds: Array.from({ length: teams + writers }, (_, team) => idOf(`${seed} team ${team}`)),
    challengeIds: Array.from(
      { length: challenges },
      (_, challenge) => `task-${String(challenge + 1).padStart(3, '0')}`,
    ),
    solverCounts,
    solve(index) {
      const key = keys[index] ?? 0
      const afterMs = Math.floor(key / PAIRS)
      const pair = key - afterMs * PAIRS
      return { afterMs, team: pair % teams, challenge: Math.floor(pair / teams) }
    },
    hasSolved: (team, challenge) => team < teams && solved[challenge * teams + team] === 1,
  }
}

/** From most teams down to none, with the number of solves of the set as the sum. */
function countSolvers({ teams, challenges, solves, isRanked = false }: DataSet): number[] {
  if (solves === 0) return Array.from({ length: challenges }, () => 0)
  const easiest = isRanked ? 1 : EASIEST
  const exponent = (easiest * teams * challenges) / solves - 1
  const counts: number[] = []
  let exact = 0
  let sum = 0
  for (let challenge = 0; challenge < challenges; challenge += 1) {
    exact += easiest * teams * Math.max(0, 1 - challenge / (challenges - 1)) ** exponent
    counts.push(Math.round(exact) - sum)
    sum = Math.round(exact)
  }
  // The exponent is exact for a continuous distribution only: the difference is spread over the easiest half.
  const half = Math.ceil(challenges / 2)
  for (let at = 0, left = solves - sum; left !== 0; at = (at + 1) % half) {
    const step = Math.sign(left) * Math.min(Math.abs(left), Math.ceil(Math.abs(solves - sum) / half))
    counts[at] = (counts[at] ?? 0) + step
    left -= step
  }
  return counts.map((count) => Math.min(count, teams))
}

/** The strongest teams, as far as their luck goes. */
function solversOf(
  { teams, count, luck }: { teams: number; count: number; luck: number },
  random: Random,
): number[] {
  const ranked = new Float64Array(teams)
  const form = new Float64Array(teams)
  for (let team = 0; team < teams; team += 1) form[team] = team / teams + (random() - 0.5) * 2 * luck
  ranked.set(form)
  ranked.sort()
  const worst = count === 0 ? -Infinity : (ranked[count - 1] ?? Infinity)
  const solvers: number[] = []
  for (let team = 0; team < teams && solvers.length < count; team += 1)
    if ((form[team] ?? 0) <= worst) solvers.push(team)
  return solvers
}

/** A random UUID for each text. */
function idOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
