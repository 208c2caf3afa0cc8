import type {
  AdminBotConfig,
  AdminChallengeV1,
  AdminChallengeV2,
  InstancerConfig,
} from '@pennant/contract/admin-challenges.ts'
import type { z } from 'zod'
import type { ChallengeRow, FlagEntry } from '../../../world/model.ts'
import { readableBy } from './readable.ts'

export function adminChallengeV1(row: ChallengeRow): z.input<typeof AdminChallengeV1> {
  const { id, name, description, category, author, pointsMin, pointsMax, tiebreakEligible, sortWeight } = row
  return {
    id,
    name,
    description,
    category,
    author,
    files: row.files.map((file) => ({ name: file.name, url: file.url })),
    points: { min: pointsMin, max: pointsMax },
    flag: firstStaticFlag(row.flags),
    tiebreakEligible,
    ...(sortWeight === null ? {} : { sortWeight }),
  }
}

/** `perms` are those of the caller. */
export function adminChallengeV2(row: ChallengeRow, perms: number): z.input<typeof AdminChallengeV2> {
  return {
    ...adminChallengeV1(row),
    files: row.files.map((file) => ({ name: file.name, url: file.url, size: file.size ?? null })),
    flags: row.flags.map(({ provider, config }) => ({ provider, config: { ...config } })),
    // Absent if no one chose.
    ...(typeof row.tiebreakChoice === 'boolean' && { tiebreakChoice: row.tiebreakChoice }),
    sortWeight: row.sortWeight,
    // Only this feature writes these columns, so the shapes are known.
    instancerConfig: row.instancerConfig as z.input<typeof InstancerConfig> | null,
    adminBotConfig: row.adminBotConfig as z.input<typeof AdminBotConfig> | null,
    hidden: row.hidden,
    releaseTime: row.releaseAt,
    scoring: scoringOf(row, perms),
    tags: [...(row.tags ?? [])],
    // Absent when unset, so that responses for contests without waves and prerequisites stay the same.
    ...(row.waveId && { waveId: row.waveId }),
    ...(row.prerequisites?.length && { prerequisites: [...row.prerequisites] }),
    ...(row.lockedShown && { lockedShown: true }),
  }
}

function firstStaticFlag(flags: readonly FlagEntry[]): string {
  const flag = flags.find(({ provider }) => provider === 'flags/static')?.config['flag']
  return typeof flag === 'string' ? flag : ''
}

function scoringOf(row: ChallengeRow, perms: number): z.input<typeof AdminChallengeV2>['scoring'] {
  const kind = row.scoringKind
  if (kind !== 'dynamic') return { kind }
  const { scoringSecret: secret } = readableBy(perms, row)
  const shown = secret === undefined ? { secretSet: true } : { secret: secret ?? '' }
  return { kind, source: { transport: 'webhook', ...shown } }
}
