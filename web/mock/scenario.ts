import { HOUR_MS } from '@pennant/contract/durations.ts'

/** The contest's phase. `opening` is half a minute before the start. */
export type Phase = 'before' | 'opening' | 'running' | 'ended' | 'archived'

export const phases: readonly Phase[] = ['before', 'opening', 'running', 'ended', 'archived']

/**
 * A simulated failure of the routes whose path contains `path`. `lost` handles the request and drops the
 * response.
 */
export interface Fault {
  readonly path: string
  readonly failure: 'internal' | 'unavailable' | 'network' | 'lost' | 'never'
}

/** What the status page shows: by default, a component with an incident is degraded. */
export const statuses = ['usual', 'unknown', 'down'] as const

/** The mock's switches. Two mocks with the same scenario respond identically. */
export interface Scenario {
  readonly phase: Phase
  /** The mock's current time, Unix milliseconds. */
  readonly now: number
  readonly faults: readonly Fault[]
  /** Number of teams. */
  readonly teams: number
  /** No challenges, and only the teams that sign in. */
  readonly isEmpty: boolean
  readonly status: (typeof statuses)[number]
  /** Response delay. */
  readonly delayMs: number
}

/** A fixed time, so that screenshots do not change from day to day. */
export const usualNow = Date.UTC(2026, 9, 17, 14, 0, 0)

export const usualScenario: Scenario = {
  phase: 'running',
  now: usualNow,
  faults: [],
  teams: 60,
  isEmpty: false,
  status: 'usual',
  delayMs: 0,
}

const CONTEST_MS = 48 * HOUR_MS

// How long before `now` the contest of each phase started.
const BEGAN_BEFORE_MS: Readonly<Record<Phase, number>> = {
  before: -26 * HOUR_MS,
  opening: -30_000,
  running: 20 * HOUR_MS,
  ended: CONTEST_MS + HOUR_MS,
  archived: 100 * CONTEST_MS,
}

/** Start and end of the event in a scenario, in Unix milliseconds. */
export function windowOf({ phase, now }: Pick<Scenario, 'phase' | 'now'>) {
  const startTime = now - BEGAN_BEFORE_MS[phase]
  return { startTime, endTime: startTime + CONTEST_MS }
}
