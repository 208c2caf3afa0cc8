import { phaseOf, type Phase } from '../../state/phase.ts'
import { INCOMPLETE } from './draft.ts'

interface Times {
  readonly startTime: number
  readonly endTime: number
}

/** The immediate effect of a schedule change, and the word that confirms it. */
export interface Crossing {
  readonly from: Phase
  readonly to: Phase
  readonly word: 'OPEN' | 'CLOSE'
}

/** Null if the contest stays in its current phase, so that nothing changes immediately, or if a time is incomplete. */
export function crossingOf(saved: Times, next: Times, now: number): Crossing | null {
  if (next.startTime === INCOMPLETE || next.endTime === INCOMPLETE) return null
  const from = phaseAt(saved, now)
  const to = phaseAt(next, now)
  return from === to ? null : { from, to, word: to === 'running' ? 'OPEN' : 'CLOSE' }
}

/** An event without a start has not begun. */
export function phaseAt(times: Times, now: number): Phase {
  return Number.isNaN(times.startTime) ? 'before' : phaseOf({ ...times, isArchived: false }, now)
}
