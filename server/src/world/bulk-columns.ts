// Rows in columns, as a binary COPY reads them.

/**
 * Solves in columns, unordered, as read by a binary COPY: entry `i` of each column belongs to solve `i`, and ids take
 * 16 bytes each. Columns may be longer than `length`. They are copied, so the caller may reuse its buffers.
 */
export interface SolveColumns {
  readonly length: number
  /** The `n` of the team and of the challenge. Solves whose team or challenge is not among the rows are left out. */
  readonly teamNumbers: Int32Array
  readonly challengeNumbers: Int32Array
  /** Whole Unix milliseconds, rounded down, as in `SolveRow`. */
  readonly createdAt: Float64Array
  readonly ids: Uint8Array
  /** 0 if not recorded. */
  readonly globalRanks: Int32Array
  readonly divisionRanks: Int32Array
  /** 1 or 0. */
  readonly assisted: Uint8Array
}

/** Feed events in columns, like `SolveColumns`. */
export interface FeedColumns {
  readonly length: number
  readonly teamNumbers: Int32Array
  readonly challengeNumbers: Int32Array
  readonly ids: Float64Array
  /** Whole Unix milliseconds. */
  readonly at: Float64Array
  readonly delta: Float64Array
}
