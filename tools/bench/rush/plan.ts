export type StepName =
  | 'open'
  | 'sign in'
  | 'challenges'
  | 'scoreboard'
  | 'file'
  | 'wrong flag'
  | 'right flag'
  | 'wave'

/** A request of the site with what it needs besides the path. `:team`, `:challenge` and `:file` are replaced for each browser. */
export interface ScriptRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly isAsTeam: boolean
}

export interface ScriptStep {
  readonly name: StepName
  readonly requests: readonly ScriptRequest[]
}

/** What the browsers do. */
export interface RushPlan {
  /** Where the server is, without a path. */
  readonly url: string
  /** `Accept-Encoding`. */
  readonly encoding: string
  readonly browsers: number
  /** Browsers that arrive in a second, whether or not the server keeps up. */
  readonly arrivalsPerS: number
  /** Browsers belong to them in turn. */
  readonly teams: readonly RushTeam[]
  /** Played by each browser one after the other, with `pauseMs` before each but the first. */
  readonly opening: readonly ScriptStep[]
  readonly pauseMs: number
  /** Then one browser of each team submits flags, until the end. */
  readonly play: RushPlay | null
  readonly challengeIds: readonly string[]
  readonly files: readonly string[]
}

export interface RushTeam {
  readonly id: string
  readonly token: string
  readonly loginToken: string
  /** Of `X-Forwarded-For`: limits count by address. */
  readonly address: string
}

export interface RushPlay {
  readonly wrong: ScriptStep
  readonly right: ScriptStep
  readonly wave: ScriptStep
  /** When waves open, in milliseconds after the first arrival, and the time over which browsers spread their reads. */
  readonly wavesMs: readonly number[]
  readonly waveSpreadMs: number
  /** Mean time between two flags of a team. */
  readonly flagEveryMs: number
  readonly wrongShare: number
  /** The end, after the first arrival. */
  readonly untilMs: number
}

/** Of one kind of step. */
export interface StepResult {
  readonly name: StepName | 'all'
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
  /** Answered with 503 and sent again after the time that the response named. The latency includes it. */
  readonly refused: number
  /** Connections that broke, and statuses that are no success. */
  readonly failed: number
}

export interface RushResult {
  readonly steps: readonly StepResult[]
  readonly all: StepResult
  readonly seconds: number
  /** Processor time of the generator. */
  readonly generatorS: number
  /** Failures by what happened. */
  readonly failures: Readonly<Record<string, number>>
  /** Browsers that had not finished at the end. */
  readonly unfinished: number
}
