import { isDeepStrictEqual } from 'node:util'
import { archiveFields, type ArchiveField } from '@pennant/contract/challenge-archive.ts'
import { mergeInstancer } from '../../contest/challenges/admin-rules.ts'
import type { ReadableChallenge } from '../../contest/challenges/readable.ts'
import { storedValue, uploadKeyOf, type StoredField } from './stored-value.ts'
import type { ChallengeValue } from './value.ts'

/** The SHA-256 of a file in a folder tree. */
export type HashOf = (path: string) => string

/** What both sides of a comparison are looked up in. */
export interface Lookups {
  readonly hashOf: HashOf
  readonly beside: readonly (StoredField & { readonly field: ArchiveField })[]
}

/** What a folder does not say about a new challenge. Nothing is shown to players by accident. */
export function withDefaults(value: ChallengeValue): ChallengeValue {
  return {
    ...value,
    name: value.name ?? value.id,
    hidden: value.hidden ?? true,
    points: value.points ?? { min: 100, max: 500 },
  }
}

/** The given fields that differ from the stored challenge; all given fields for a new one. */
export function changedFields(
  value: ChallengeValue,
  stored: ReadableChallenge | null,
  { hashOf, beside }: Lookups,
): ArchiveField[] {
  const all = new Set([...archiveFields, ...beside.map(({ field }) => field)])
  const given = [...all].filter((field) => value[field] !== undefined)
  if (!stored) return given
  const before = comparable(storedFiles(stored, beside), hashOf)
  const after = comparable(value, hashOf)
  // A folder without the secret keeps the stored one. One that the caller may not read cannot be compared.
  if (value.scoring && (value.scoring.secret === undefined || stored.scoringSecret === undefined)) {
    before.scoring = { kind: stored.scoringKind }
    after.scoring = { kind: value.scoring.kind }
  }
  return given.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

/** A stored challenge with its files, in the form that a folder has. */
export function storedFiles(stored: ReadableChallenge, beside: readonly StoredField[]): ChallengeValue {
  const files = stored.files.map(({ name, url, size }) => ({ name, url, size: size ?? null }))
  return { ...storedValue(stored, beside), files }
}

type Comparable = Record<string, unknown> & { scoring?: unknown }

/** Equal files may be stored under different URLs, and instancer settings with or without their defaults. */
function comparable(value: ChallengeValue, hashOf: HashOf): Comparable {
  return {
    ...value,
    files: value.files?.map((file) => ({
      name: file.name,
      content: 'local' in file ? hashOf(file.local) : (uploadKeyOf(file)?.sha256 ?? file.url),
    })),
    instancer: value.instancer && mergeInstancer(null, value.instancer),
  }
}
