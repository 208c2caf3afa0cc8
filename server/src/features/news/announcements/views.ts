import type {
  AdminAnnouncement,
  EarlierVersion as EarlierVersionSchema,
} from '@pennant/contract/announcements.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import type { AnnouncementAudience, AnnouncementRow } from './rows.ts'
import type { WorldView } from '../../../world/model.ts'
import type { EarlierVersion } from './store.ts'

/** Where the names come from, and who reads them. */
export interface Names {
  readonly world: WorldView
  /** Division id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** The permissions of the caller. */
  readonly perms: number
}

export function adminAnnouncementView(row: AnnouncementRow, names: Names): z.input<typeof AdminAnnouncement> {
  const { id, title, content, severity, audience, pinned, forward, publishAt, version } = row
  const { createdAt, editedAt } = row
  return {
    id,
    title,
    content,
    severity,
    audience,
    audienceName: audienceName(audience, names),
    pinned,
    forward,
    publishAt,
    version,
    createdAt,
    editedAt,
  }
}

export function earlierVersionView(
  { data, version, replacedAt, replacedBy }: EarlierVersion,
  names: Names,
): z.input<typeof EarlierVersionSchema> {
  return {
    ...data,
    audienceName: audienceName(data.audience, names),
    version,
    replacedAt,
    replacedBy,
    replacedByName: replacedBy === null ? null : (names.world.team(replacedBy)?.name ?? null),
  }
}

function audienceName(audience: AnnouncementAudience, { world, divisions, perms }: Names): string | null {
  if (audience.kind === 'all') return null
  if (audience.kind === 'division') return divisions[audience.division] ?? null
  if (audience.kind === 'team') return world.team(audience.teamId)?.name ?? null
  const challenge = world.challenge(audience.challengeId)
  const mayRead = challenge?.isPublic === true || hasPermissions(perms, ['challsRead'])
  return mayRead ? (challenge?.name ?? null) : null
}
