/** Where the contest stands. `opening` is half a minute before the start. */
export type Phase = 'before' | 'opening' | 'running' | 'ended' | 'archived'

export const phases: readonly Phase[] = ['before', 'opening', 'running', 'ended', 'archived']

/** What is to go wrong on the routes whose path holds `path`. `lost` does the work and drops the answer. */
export interface Fault {
  readonly path: string
  readonly failure: 'internal' | 'unavailable' | 'network' | 'lost' | 'never'
}

/** The switches of the mock. Two mocks with the same scenario answer the same. */
export interface Scenario {
  readonly phase: Phase
  /** Unix time in milliseconds at which the mock's contest is looked at. */
  readonly now: number
  readonly faults: readonly Fault[]
  /** How many teams play. */
  readonly teams: number
  /** No challenge, and nobody but the teams that sign in. */
  readonly isEmpty: boolean
  /** How long an answer takes. */
  readonly delayMs: number
}

/** A fixed moment, so that pictures do not change from day to day. */
export const usualNow = Date.UTC(2026, 9, 17, 14, 0, 0)

export const usualScenario: Scenario = {
  phase: 'running',
  now: usualNow,
  faults: [],
  teams: 60,
  isEmpty: false,
  delayMs: 0,
}

const HOUR_MS = 3_600_000
const CONTEST_MS = 48 * HOUR_MS

// How long before `now` the contest of each phase began.
const BEGAN_BEFORE_MS: Readonly<Record<Phase, number>> = {
  before: -26 * HOUR_MS,
  opening: -30_000,
  running: 20 * HOUR_MS,
  ended: CONTEST_MS + HOUR_MS,
  archived: 100 * CONTEST_MS,
}

/** The event window of a scenario, in Unix milliseconds. */
export function windowOf({ phase, now }: Pick<Scenario, 'phase' | 'now'>) {
  const startTime = now - BEGAN_BEFORE_MS[phase]
  return { startTime, endTime: startTime + CONTEST_MS }
}
