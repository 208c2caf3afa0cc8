import type { ScoringKind } from '../../world/model.ts'

type Json = Readonly<Record<string, unknown>>

/** Instancer settings that nobody has named yet (contract, admin B.1). */
const DEFAULTS = { challengeIntegrationId: '', config: {}, expose: [], timeoutMilliseconds: 0 } as const

export interface MergedInstancer extends Json {
  readonly config: Json
  readonly instancer?: string
}

/** What is given over what is stored over the defaults: each field whole. */
export function mergeInstancer(stored: Json | null, given: Json): MergedInstancer {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...DEFAULTS, ...stored, ...Object.fromEntries(named) } as MergedInstancer
}

/** Whether solves forbid this change of the scoring kind: a shared value and points per team cannot be converted. */
export function isKindFixed(from: ScoringKind, to: ScoringKind): boolean {
  return (from === 'dynamic') !== (to === 'dynamic')
}
