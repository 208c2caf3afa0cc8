import { phaseOf, type Phase } from '../../state/phase.ts'

interface Times {
  readonly startTime: number
  readonly endTime: number
}

/** What a change of the times does at once, and the word that has to be typed for it. */
export interface Crossing {
  readonly from: Phase
  readonly to: Phase
  readonly word: 'OPEN' | 'CLOSE'
}

/** Null while the contest stays in its phase: then nothing happens now. */
export function crossingOf(saved: Times, next: Times, now: number): Crossing | null {
  const from = phaseOf({ ...saved, isArchived: false }, now)
  const to = phaseOf({ ...next, isArchived: false }, now)
  return from === to ? null : { from, to, word: to === 'running' ? 'OPEN' : 'CLOSE' }
}
