import type { FileEntry } from '../../../world/model.ts'
import type { ReadableChallenge } from '../../contest/challenges/readable.ts'
import type { HintContent } from '../../contest/hints/rules.ts'
import type { ChallengeValue } from './value.ts'

/** Names of waves by their id. */
export type WaveNames = ReadonlyMap<string, string>

export function waveNames(waves: readonly { readonly id: string; readonly name: string }[]): WaveNames {
  return new Map(waves.map(({ id, name }) => [id, name]))
}

/** What a stored challenge refers to. */
export interface StoredParts {
  readonly waves: WaveNames
  /** By the id of the challenge; those without any may be missing. */
  readonly hints: ReadonlyMap<string, readonly HintContent[]>
}

/** A stored challenge as a folder would describe it, with all fields. Its files are as they are stored. */
export function storedValue(row: ReadableChallenge, { waves, hints }: StoredParts) {
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
    wave: row.waveId ? (waves.get(row.waveId) ?? null) : null,
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
    hints: hints.get(id) ?? [],
    instancer: row.instancerConfig,
    adminBot: typeof code === 'string' ? code : null,
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
