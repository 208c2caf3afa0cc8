export interface ScoreInput {
  readonly min: number
  readonly max: number
  /** Counted solves. */
  readonly solves: number
  /** Maximum of counted solves over all decay challenges. */
  readonly maxSolves: number
  readonly startTime: number
  readonly endTime: number
  /** Instant of the first counted solve. */
  readonly firstSolveAt: number | null
}

/** A started score provider. Pure: equal inputs return equal whole points. */
export interface ScoreFormula {
  /** Inputs of the value besides the challenge's bounds and count. They decide which challenges a solve reprices. */
  readonly needs: { readonly maxSolves: boolean; readonly firstSolve: boolean }
  value(input: ScoreInput): number
}
