import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { RowKind } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// Announcements as stored in the database: docs/reference/announcements.md

export type AnnouncementAudience =
  | { readonly kind: 'all' }
  | { readonly kind: 'division'; readonly division: string }
  | { readonly kind: 'team'; readonly teamId: string }
  | { readonly kind: 'solved' | 'unsolved'; readonly challengeId: string }

export interface AnnouncementRow {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly audience: AnnouncementAudience
  readonly pinned: boolean
  readonly forward: boolean
  readonly publishAt: number
  readonly version: number
  readonly createdAt: number
  readonly editedAt: number | null
}

/** Newest first. The order of two of the same time is the same in every process. */
export const announcementRows: RowKind<AnnouncementRow, readonly AnnouncementRow[]> = {
  kind: 'announcements',
  read: readAnnouncements,
  keyOf: ({ id }) => id,
  slice: (rows) =>
    [...rows.values()].flat().toSorted((a, b) => b.publishAt - a.publishAt || (a.id < b.id ? -1 : 1)),
}

/** The announcements with the given ids, or all. */
export function readAnnouncements(db: Queries, ids?: readonly string[]): Promise<AnnouncementRow[]> {
  return db.query<AnnouncementRow>(sql`
    select id, title, content, severity, audience, pinned, forward, ${millis('publish_at')} as "publishAt", version,
      ${millis('created_at')} as "createdAt", ${millis('edited_at')} as "editedAt"
    from announcements ${ids ? sql`where id = any(${ids})` : empty}`)
}
