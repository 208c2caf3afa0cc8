// What the signals are computed from: rows that the contest stores anyway, and when a team first received a challenge.
// All times are Unix milliseconds.

export interface TeamFact {
  readonly id: string
  readonly createdAt: number
}

export interface ChallengeFact {
  readonly id: string
  /** Null while it is hidden: no team could read it. */
  readonly openedAt: number | null
  /** Each team needs an instance to solve it. */
  readonly hasInstances: boolean
  /** Texts of its flags, and the templates of per-team flags. */
  readonly flags: readonly string[]
}

export interface AttemptFact {
  readonly id: string
  readonly teamId: string
  readonly challengeId: string
  readonly at: number
  readonly ip: string
  readonly text: string
  readonly result: 'correct' | 'incorrect' | 'already_solved'
  /** The team that the flag was minted for, if it is another one. */
  readonly ownerId: string | null
  readonly apiTokenId: string | null
}

/** A flag that exists for one team only. */
export interface MintedFact {
  readonly challengeId: string
  readonly teamId: string
  readonly flag: string
}

export interface SeenFact {
  readonly teamId: string
  readonly challengeId: string
  readonly at: number
}

/** A flag that opens nothing, which organisers planted where only copying finds it. */
export interface DecoyFact {
  readonly id: string
  readonly flag: string
}

export interface Facts {
  readonly startTime: number
  readonly endTime: number
  readonly teams: readonly TeamFact[]
  readonly challenges: readonly ChallengeFact[]
  /** Of flags, in order of time and id. */
  readonly attempts: readonly AttemptFact[]
  readonly minted: readonly MintedFact[]
  readonly decoys: readonly DecoyFact[]
  /** When each team first received the challenge. */
  readonly received: readonly SeenFact[]
  /** Nothing is known of what was received before. Null: nothing at all. */
  readonly receivedSince: number | null
  /** The first start of an instance. */
  readonly started: readonly SeenFact[]
  /** Teams whose older starts are no longer stored. */
  readonly startsLost: readonly string[]
}
