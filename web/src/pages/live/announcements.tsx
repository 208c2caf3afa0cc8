import { useQuery } from '@tanstack/react-query'
import { announcementsQuery } from '../../api/announcements.ts'
import { useMinutesAfter } from '../../state/clock.ts'
import { liveMessages } from '../../text/en/live.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import styles from './lists.module.css'

/** The latest announcements to everyone. */
export function Announcements({ most }: { readonly most: number }) {
  const text = useMessages(liveMessages)
  const list = useQuery(announcementsQuery(false)).data?.slice(0, most) ?? []
  if (list.length === 0) return null
  return (
    <section className={styles.announced} aria-label={text.announcements}>
      <ul>
        {list.map((each) => (
          <Announcement key={each.id} {...each} />
        ))}
      </ul>
    </section>
  )
}

interface AnnouncementProps {
  readonly title: string
  readonly severity: string
  readonly publishedAt: number
}

function Announcement({ title, severity, publishedAt }: AnnouncementProps) {
  const format = useFormat()
  const minute = useMinutesAfter(publishedAt)
  return (
    <li data-severity={severity}>
      <bdi>{title}</bdi>
      <time dateTime={new Date(publishedAt).toISOString()}>{format.relative(publishedAt, minute)}</time>
    </li>
  )
}
