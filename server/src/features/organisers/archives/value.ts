import type { FlagEntry, ScoringKind } from '../../../world/model.ts'
import type { HintContent } from '../../contest/hints/rules.ts'

// A challenge as its folder describes it, independent of YAML, archives and the database.

type Json = Readonly<Record<string, unknown>>

/** A file of a challenge: in its folder, or somewhere else by URL. */
export type FileValue<Local> =
  | { readonly name: string; readonly local: Local }
  | { readonly name: string; readonly url: string; readonly size: number | null }

/** `secret` is absent where a folder does not contain it: the stored one stays. */
export interface ScoringValue {
  readonly kind: ScoringKind
  readonly secret?: string | undefined
}

/** Absent fields keep their stored value. `Local` identifies a file in the folder. */
export interface ChallengeValue<Local = string> {
  readonly id: string
  readonly name?: string | undefined
  readonly category?: string | undefined
  readonly author?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly hidden?: boolean | undefined
  /** Unix milliseconds. */
  readonly releaseTime?: number | null | undefined
  /** The name of the wave. */
  readonly wave?: string | null | undefined
  /** Ids of challenges. */
  readonly prerequisites?: readonly string[] | undefined
  readonly lockedShown?: boolean | undefined
  readonly points?: { readonly min: number; readonly max: number } | undefined
  readonly scoring?: ScoringValue | undefined
  /** Null: follows from the points. */
  readonly tiebreakEligible?: boolean | null | undefined
  readonly sortWeight?: number | null | undefined
  readonly flags?: readonly FlagEntry[] | undefined
  readonly files?: readonly FileValue<Local>[] | undefined
  readonly hints?: readonly HintContent[] | undefined
  readonly instancer?: Json | null | undefined
  /** The code of the admin bot. */
  readonly adminBot?: string | null | undefined
}

/** What is wrong, and where: a path in the folder tree. */
export interface Problem {
  readonly path: string
  readonly reason: string
}
