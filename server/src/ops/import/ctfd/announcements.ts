import type { ImportedRow } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { columnsOf } from '../insert.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import type { Accounts } from './accounts.ts'
import { microsOf } from './values.ts'
import type { CtfdArchive } from './archive.ts'
import type { CtfdLinks } from './links.ts'

const MAX_ANNOUNCEMENTS = 500
const MAX_TITLE = 200

interface AnnouncementContext {
  readonly accounts: Accounts
  readonly links: CtfdLinks
  readonly report: Report
}

/** Notifications are announcements, to everyone or to one team. */
export async function readAnnouncements(
  archive: CtfdArchive,
  { accounts, links, report }: AnnouncementContext,
): Promise<ImportedRow[]> {
  const rows = (await archive.all('notifications')).toSorted(
    (a, b) => (microsOf(b['date']) ?? 0) - (microsOf(a['date']) ?? 0),
  )
  for (const row of rows.slice(MAX_ANNOUNCEMENTS))
    report.loss(
      'announcements',
      `Only the latest ${MAX_ANNOUNCEMENTS} notifications are imported.`,
      textOf(row['title']),
    )
  return rows.slice(0, MAX_ANNOUNCEMENTS).flatMap((row) => {
    const owner = ownerOf(row)
    const teamId = owner === null ? null : accounts.idOf(owner)
    const publishAt = microsOf(row['date'])
    if (teamId === undefined || publishAt === null) {
      report.loss(
        'announcements-left',
        'Notifications without a date or to accounts that are not imported are left out.',
        textOf(row['title']),
      )
      return []
    }
    const audience = teamId === null ? { kind: 'all' as const } : { kind: 'team' as const, teamId }
    const title = withoutMarkers(textOf(row['title'])).slice(0, MAX_TITLE) || 'Notification'
    const columns = columnsOf({
      id: uuidOf('ctfd notification', String(row['id'])),
      title,
      content: links.text(textOf(row['content'])),
      severity: 'info',
      audience,
      pinned: false,
      forward: false,
      publishAt,
      version: 1,
      createdAt: publishAt,
    })
    return [{ columns, content: { where: title } }]
  })
}

function ownerOf(row: Json): number | null {
  return integerOf(row['team_id']) ?? integerOf(row['user_id'])
}
