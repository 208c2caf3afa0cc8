import type { Announcement } from '@pennant/contract/announcements.ts'
import type { z } from 'zod'
import type { AnnouncementRow } from './rows.ts'

/** Names neither the team nor the division: the receiver knows its own. */
export function announcementView(row: AnnouncementRow): z.input<typeof Announcement> {
  const { id, title, content, severity, audience, pinned, publishAt, editedAt } = row
  const challengeId = 'challengeId' in audience ? audience.challengeId : null
  return {
    id,
    title,
    content,
    severity,
    audience: audience.kind,
    challengeId,
    pinned,
    publishedAt: publishAt,
    editedAt,
  }
}
