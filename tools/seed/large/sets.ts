/** The size of a contest. */
export interface DataSet {
  readonly name: string
  readonly teams: number
  readonly challenges: number
  readonly solves: number
  /** Wrong submissions in the audit. */
  readonly wrong: number
  /** Further teams without solves, so that a small contest has enough flags to submit. */
  readonly writers: number
  /** Whether solves have their submissions in the audit, as the server would have written them. */
  readonly isAudited: boolean
  /** Whether luck plays no part: team after team has fewer solves. */
  readonly isRanked?: boolean
}

export const DATA_SETS = {
  small: {
    name: 'small',
    teams: 50,
    challenges: 20,
    solves: 300,
    wrong: 300,
    writers: 400,
    isAudited: true,
  },
  large: {
    name: 'large',
    teams: 10_000,
    challenges: 120,
    solves: 400_000,
    wrong: 400_000,
    writers: 0,
    isAudited: true,
  },
  // Its audit would take longer to load than everything else, and no measurement reads it.
  huge: {
    name: 'huge',
    teams: 100_000,
    challenges: 200,
    solves: 4_000_000,
    wrong: 100_000,
    writers: 0,
    isAudited: false,
  },
} as const satisfies Record<string, DataSet>

export type DataSetName = keyof typeof DATA_SETS

/** A team's position is its rank, and each team has a solve. */
export function rankedSet(teams: number, challenges: number): DataSet {
  return {
    name: `${teams} ranked teams`,
    teams,
    challenges,
    solves: (teams * challenges) / 2,
    wrong: 0,
    writers: 0,
    isAudited: false,
    isRanked: true,
  }
}

/** A contest that has just begun: no one has solved anything. */
export function openingSet(teams: number): DataSet {
  return {
    name: `${teams} teams at the start`,
    teams,
    challenges: 60,
    solves: 0,
    wrong: 0,
    writers: 0,
    isAudited: false,
  }
}
