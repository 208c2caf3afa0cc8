import { NavLink } from 'react-router'
import { useAnnouncements } from '../../api/announcements.ts'
import { paths } from '../../paths.ts'
import { useReadAnnouncements } from '../../state/read-announcements.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { useBloodToasts } from '../use-blood-toasts.tsx'
import styles from './announcement-list.module.css'
import { useNewAnnouncements } from './use-new-announcements.ts'

/** More would not fit in the badge. */
const MAX_SHOWN = 9

/** Link to the announcements with the number of unread ones. Reports new ones, and first bloods of other teams. */
export function AnnouncementsLink() {
  const text = useMessages(announcementsMessages)
  const list = useAnnouncements().data
  const read = useReadAnnouncements()
  useNewAnnouncements(list)
  useBloodToasts()
  const unread = list?.filter(({ id }) => !read.has(id)).length ?? 0
  const label = unread > 0 ? text.bellUnread(unread) : text.title
  return (
    <NavLink to={paths.announcements()} className={styles.bell ?? ''} aria-label={label} title={label}>
      <svg aria-hidden="true" width={18} height={18} viewBox="0 0 16 16" fill="none">
        <path
          d="M3.500 11.500c1-1 1-2.500 1-4.500a3.500 3.500 0 0 1 7 0c0 2 0 3.500 1 4.500ZM6.500 13.500h3"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
    </NavLink>
  )
}
