import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { adminAnnouncementsMessages } from '../../text/en/admin-announcements.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './admin-announcements.module.css'
import { AnnouncementTable } from './announcement-table.tsx'
import { Editor } from './editor.tsx'
import { adminAnnouncementsQuery, type AdminAnnouncement } from './queries.ts'

/** Writes, schedules, edits and deletes announcements. */
export function Component() {
  const text = useMessages(adminAnnouncementsMessages)
  const query = useQuery(adminAnnouncementsQuery)
  const [edited, setEdited] = useState<AdminAnnouncement | null>(null)
  const [saves, setSaves] = useState(0)
  // From a message that is worth announcing.
  const start = (useLocation().state as { announce?: { title: string; content: string } } | null)?.announce
  const done = () => {
    setEdited(null)
    setSaves(saves + 1)
  }
  return (
    <OrganiserPage title={text.page}>
      <div className={styles.narrow}>
        <Editor
          key={`${edited?.id} ${saves}`}
          stored={edited}
          onDone={done}
          start={saves === 0 ? start : undefined}
        />
      </div>
      {query.data ? (
        <AnnouncementTable rows={query.data} onEdit={setEdited} />
      ) : (
        <Waiting query={query} rows={4} />
      )}
    </OrganiserPage>
  )
}
