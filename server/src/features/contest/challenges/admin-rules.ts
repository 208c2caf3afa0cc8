import type { Expose } from '../../../providers/instancer/instancer.ts'
import type { ScoringKind } from '../../../world/model.ts'

type Json = Readonly<Record<string, unknown>>

/** Instancer settings that are not set: docs/reference/providers.md#instancer-settings-of-a-challenge */
const DEFAULTS = { challengeIntegrationId: '', config: {}, expose: [], timeoutMilliseconds: 0 } as const

export interface MergedInstancer extends Json {
  readonly config: Json
  readonly instancer?: string
  readonly expose?: readonly Expose[]
}

/** Merges the given settings over the stored ones over the defaults. Each field is replaced as a whole. */
export function mergeInstancer(stored: Json | null, given: Json): MergedInstancer {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...DEFAULTS, ...stored, ...Object.fromEntries(named) } as MergedInstancer
}

/**
 * Whether existing solves prevent this change of the scoring kind: a shared value cannot be converted to
 * points per team.
 */
export function isKindFixed(from: ScoringKind, to: ScoringKind): boolean {
  return (from === 'dynamic') !== (to === 'dynamic')
}
