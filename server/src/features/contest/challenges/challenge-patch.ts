import type { FileEntry, FlagEntry, ScoringKind } from '../../../world/model.ts'

type Json = Readonly<Record<string, unknown>>

/** Changes of an edit. Absent fields keep their value. */
export interface ChallengePatch {
  readonly name?: string | undefined
  readonly category?: string | undefined
  readonly author?: string | undefined
  readonly description?: string | undefined
  readonly flags?: readonly FlagEntry[] | undefined
  readonly points?: { readonly min: number; readonly max: number } | undefined
  /** Null: follows from the points. */
  readonly tiebreakEligible?: boolean | null | undefined
  readonly files?: readonly FileEntry[] | undefined
  readonly sortWeight?: number | null | undefined
  readonly hidden?: boolean | undefined
  readonly releaseAt?: number | null | undefined
  /** Without a secret, a dynamic challenge keeps the stored one. */
  readonly scoring?: { readonly kind: ScoringKind; readonly secret?: string | undefined } | undefined
  readonly adminBotConfig?: Json | null | undefined
  readonly tags?: readonly string[] | null | undefined
  /** Null leaves the wave. */
  readonly waveId?: string | null | undefined
  readonly prerequisites?: readonly string[] | undefined
  readonly lockedShown?: boolean | undefined
}
