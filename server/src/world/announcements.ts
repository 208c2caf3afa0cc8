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

/** Newest first. The order of two of the same moment is the same in every process. */
export function sortAnnouncements(rows: readonly AnnouncementRow[]): readonly AnnouncementRow[] {
  return rows.toSorted((a, b) => b.publishAt - a.publishAt || (a.id < b.id ? -1 : 1))
}
