import { ANNOUNCEMENT_FEED } from '@pennant/contract/announcements.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useAnnouncements } from '../../api/announcements.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { Announcement } from '../../layout/announcement-list/announcement.tsx'
import { LoadState } from '../../layout/states/load-state.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { markRead, useReadAnnouncements } from '../../state/read-announcements.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './announcements.module.css'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Everything that the organisers announced to the viewer. Opening it marks all as read. */
export function Component() {
  const text = useMessages(announcementsMessages)
  const frame = useMessages(frameMessages)
  const query = useAnnouncements()
  const failure = useFailure(query)
  const { isSignedIn } = useOwnTeam()
  const isArchived = useConfig()?.isArchived === true
  usePageTitle(text.title)
  const list = query.data ?? (isArchived ? [] : undefined)
  // As of the opening of the page.
  const [read] = useState(useReadAnnouncements())
  useEffect(() => {
    if (query.data) markRead(query.data.map(({ id }) => id))
  }, [query.data])
  return (
    <div className={styles.page}>
      {/* Feed readers look for it in the head, where React puts it. */}
      {!isArchived && (
        <link rel="alternate" type="application/atom+xml" title={text.title} href={ANNOUNCEMENT_FEED} />
      )}
      <div className={styles.heading}>
        <h1>{text.title}</h1>
        {isSignedIn && !isArchived && <Link to={paths.messages()}>{text.askOrganisers}</Link>}
        {!isArchived && (
          <a href={ANNOUNCEMENT_FEED} type="application/atom+xml">
            {text.feed}
          </a>
        )}
      </div>
      {!list && (
        <LoadState failure={failure}>
          <Skeleton rows={3} height="6rem" />
        </LoadState>
      )}
      {list?.length === 0 && (
        <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>{text.none}</EmptyState>
      )}
      {list?.map((each) => (
        <Announcement key={each.id} announcement={each} isNew={!read.has(each.id)} />
      ))}
    </div>
  )
}
