import { createHash } from 'node:crypto'
import type { SignalKind } from '@pennant/contract/fair-play.ts'

/** A fact worth a look. It says what happened, never why. */
export interface Signal {
  /** A digest of its content: the same after each computation. */
  readonly id: string
  readonly kind: SignalKind
  /** The team that it is about, then the team that it points to, if any. */
  readonly teamIds: readonly string[]
  readonly challengeId: string | null
  readonly at: number
  /** Ids of the submissions that show it. */
  readonly submissionIds: readonly string[]
  /** Figures and texts for the reader. */
  readonly evidence: Readonly<Record<string, string | number>>
}

/** Submissions that one signal names. */
const MAX_SUBMISSIONS = 50

export function signal(content: Omit<Signal, 'id'>): Signal {
  const { kind, teamIds, challengeId, at, evidence } = content
  const submissionIds = content.submissionIds.slice(0, MAX_SUBMISSIONS)
  // What later facts may change, such as counts, is left out, so that notes keep their signal.
  const identity = JSON.stringify([kind, teamIds, challengeId, submissionIds[0] ?? at])
  const id = createHash('sha256').update(identity).digest('hex').slice(0, 32)
  return { id, kind, teamIds, challengeId, at, submissionIds, evidence }
}

/** One order for all processes. */
export function byTime(a: Signal, b: Signal): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}
