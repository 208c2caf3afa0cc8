export interface ScoreInput {
  readonly min: number
  readonly max: number
  /** Counted solves. */
  readonly solves: number
  /** The most counted solves of any decay challenge. */
  readonly maxSolves: number
  readonly startTime: number
  readonly endTime: number
  /** Instant of the first counted solve. */
  readonly firstSolveAt: number | null
}

/** A score provider, started. Pure: equal inputs give equal whole points. */
export interface ScoreFormula {
  /** What the value depends on beside the challenge's own bounds and count: decides how far a solve reprices. */
  readonly needs: { readonly maxSolves: boolean; readonly firstSolve: boolean }
  value(input: ScoreInput): number
}
