import type { AdminAnnouncement } from '@pennant/contract/announcements.ts'
import type { z } from 'zod'
import type { AnnouncementRow } from '../../world/announcements.ts'

export function adminAnnouncementView(row: AnnouncementRow): z.input<typeof AdminAnnouncement> {
  const { id, title, content, severity, audience, pinned, forward, publishAt, version } = row
  const { createdAt, editedAt } = row
  return {
    id,
    title,
    content,
    severity,
    audience,
    pinned,
    forward,
    publishAt,
    version,
    createdAt,
    editedAt,
  }
}
