import {
  MAX_ARCHIVE_LINES,
  type ArchiveField,
  type ArchivePlan,
} from '@pennant/contract/challenge-archive.ts'
import type { z } from 'zod'
import type { ImportResult } from './import.ts'
import type { PlannedChallenge } from './plan.ts'

export function archivePlan({
  id,
  challenges,
  problems,
  ignored,
  pictures,
  picturesLeft,
}: ImportResult): z.input<typeof ArchivePlan> {
  return {
    plan: id,
    challenges: challenges.map(plannedChallenge),
    problems: problems.slice(0, MAX_ARCHIVE_LINES).map(({ path, reason }) => ({ path, reason })),
    problemCount: problems.length,
    ignored: ignored.slice(0, MAX_ARCHIVE_LINES),
    ignoredCount: ignored.length,
    pictures: pictures
      .slice(0, MAX_ARCHIVE_LINES)
      .map(({ challenge, host, count }) => ({ challenge, host, count })),
    pictureCount: pictures.reduce((sum, { count }) => sum + count, 0),
    picturesLeft: picturesLeft
      .slice(0, MAX_ARCHIVE_LINES)
      .map(({ address, reason }) => ({ address, reason })),
  }
}

function plannedChallenge({ folder, value, stored, fields }: PlannedChallenge) {
  const state = stored ? (fields.length > 0 ? 'changed' : 'unchanged') : 'created'
  const changed: ArchiveField[] = [...fields]
  return {
    id: value.id,
    name: value.name ?? stored?.name ?? '',
    path: folder,
    state,
    fields: changed,
  } as const
}
