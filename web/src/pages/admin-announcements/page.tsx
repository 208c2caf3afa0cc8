import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
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
  const edit = useEdit(edited, setEdited)
  return (
    <OrganiserPage title={text.page}>
      <div className={styles.narrow}>
        {/* What was typed of a new one stays while another is edited. */}
        <div hidden={edited !== null}>
          <Editor
            key={saves}
            stored={null}
            onDone={() => setSaves(saves + 1)}
            start={saves === 0 ? start : undefined}
          />
        </div>
        {edited && <Editor key={edited.id} stored={edited} onDone={() => setEdited(null)} />}
      </div>
      {query.data ? (
        <AnnouncementTable rows={query.data} isEditing={edited !== null} onEdit={edit} />
      ) : (
        <Waiting query={query} rows={4} />
      )}
      <LeaveGuard />
    </OrganiserPage>
  )
}

/** Returns the handler of the edit buttons. The focus returns to the button when the edit ends. */
function useEdit(edited: AdminAnnouncement | null, onEdit: (row: AdminAnnouncement) => void) {
  const from = useRef<Element>(null)
  useEffect(() => {
    if (edited || !(from.current instanceof HTMLElement)) return
    from.current.focus()
    from.current = null
  }, [edited])
  return (row: AdminAnnouncement) => {
    from.current = document.activeElement
    onEdit(row)
  }
}
