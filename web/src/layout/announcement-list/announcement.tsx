import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { Announcement as Shown } from '../../api/merge-announcements.ts'
import { paths } from '../../paths.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './announcement-list.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

interface AnnouncementProps {
  readonly announcement: Shown
  readonly isNew: boolean
}

export function Announcement({ announcement, isNew }: AnnouncementProps) {
  const text = useMessages(announcementsMessages)
  const format = useFormat()
  const { id, title, content, severity, audience, challengeId, pinned, publishedAt, editedAt } = announcement
  const facts = [
    isNew && text.unread,
    pinned && text.pinned,
    severity !== 'info' && text.severities[severity],
    audience !== 'all' && text.audiences[audience],
    editedAt !== null && text.edited(format.dateTime(editedAt)),
  ].filter((fact) => fact !== false)
  return (
    <article id={id} aria-labelledby={`${id}-title`} className={styles.announcement} data-severity={severity}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className={styles.facts}>
          <time dateTime={new Date(publishedAt).toISOString()}>{format.dateTime(publishedAt)}</time>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {challengeId !== null && <Link to={paths.challenge(challengeId)}>{text.toChallenge}</Link>}
        </p>
      </header>
      {content !== '' && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <Markdown text={content} />
        </Suspense>
      )}
    </article>
  )
}
