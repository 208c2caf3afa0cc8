/** Numbers of one group. Unused ones are 0. */
export interface GroupRow {
  readonly part:
    | 'challenge'
    | 'category'
    | 'period'
    | 'hour'
    | 'country'
    | 'division'
    | 'solved'
    | 'early'
    | 'later'
  /** Of the group; null for teams without a country. Periods and hours are numbers from 0. */
  readonly key: string | null
  readonly teams: number
  readonly active: number
  readonly solvers: number
  readonly solves: number
  readonly submissions: number
  readonly wrong: number
}

export interface FirstSolveRow {
  readonly challengeId: string
  readonly teamId: string
  readonly teamName: string
  readonly firstAt: number
  /** The time of the solve in the middle; of two, the earlier. */
  readonly medianAt: number
}
