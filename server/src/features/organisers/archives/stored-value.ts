import type { FileEntry } from '../../../world/model.ts'
import type { ReadableChallenge } from '../../contest/challenges/readable.ts'
import type { ValueOf } from '../../contest/kinds/archive-kind.ts'
import type { ChallengeValue } from './value.ts'

/** A field of a challenge that is stored beside its row. */
export interface StoredField {
  readonly field: string
  readonly valueOf: ValueOf<unknown>
}

/** A stored challenge as a folder would describe it, with all fields. Its files are as they are stored. */
export function storedValue(row: ReadableChallenge, beside: readonly StoredField[]) {
  const { id, name, category, author, description, hidden, tiebreakChoice = null, sortWeight, flags } = row
  const code = row.adminBotConfig?.['code']
  return {
    id,
    name,
    category,
    author,
    tags: row.tags ?? [],
    description,
    hidden,
    releaseTime: row.releaseAt,
    prerequisites: row.prerequisites ?? [],
    lockedShown: row.lockedShown ?? false,
    points: { min: row.pointsMin, max: row.pointsMax },
    scoring: {
      kind: row.scoringKind,
      ...(row.scoringKind === 'dynamic' && row.scoringSecret && { secret: row.scoringSecret }),
    },
    tiebreakEligible: tiebreakChoice,
    sortWeight,
    flags,
    instancer: row.instancerConfig,
    adminBot: typeof code === 'string' ? code : null,
    ...(Object.fromEntries(
      beside.map(({ field, valueOf }) => [field, valueOf(row)]),
    ) as Partial<ChallengeValue>),
  } satisfies ChallengeValue
}

export interface UploadKey {
  readonly sha256: string
  readonly name: string
}

const UPLOADED = /\/uploads\/([0-9a-f]{64})\/([^/?#]+)$/

/** The key of an uploaded file, or null for the URL of anything else. */
export function uploadKeyOf({ url }: Pick<FileEntry, 'url'>): UploadKey | null {
  const [, sha256, name] = UPLOADED.exec(url) ?? []
  if (sha256 === undefined || name === undefined) return null
  try {
    return { sha256, name: decodeURIComponent(name) }
  } catch {
    return null
  }
}
