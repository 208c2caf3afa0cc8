import type {
  AttemptFact,
  ChallengeFact,
  SeenFact,
} from '../../server/src/features/organisers/fair-play/signals/facts.ts'
import type { Random } from '../../server/src/ops/demo/random.ts'

/** What the planting works on. Rows may be added and changed until the facts are made. */
export interface Draft {
  readonly random: Random
  readonly startTime: number
  readonly endTime: number
  readonly teamIds: readonly string[]
  readonly challenges: readonly ChallengeFact[]
  readonly attempts: AttemptFact[]
  /** When a member of the team first loaded the challenges. */
  readonly received: SeenFact[]
  readonly started: SeenFact[]
}

export function replace(attempts: AttemptFact[], old: AttemptFact, now: AttemptFact): void {
  attempts[attempts.indexOf(old)] = now
}

export function solvesOf({ attempts }: Draft, teamId: string): AttemptFact[] {
  return attempts.filter((attempt) => attempt.teamId === teamId && attempt.result === 'correct')
}

export function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)]
}
