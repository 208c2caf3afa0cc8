import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useAnnouncements } from '../../api/announcements.ts'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../state/session.ts'
import { announcementsMessages } from '../../text/en/announcements.ts'
import { NextWavePanel } from '../../layout/next-wave/next-wave.tsx'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './announced.module.css'

const LISTED = 3

// Few events ask for more than names and addresses.
const MissingAnswers = lazy(async () => ({
  default: (await import('../../account/missing-answers.tsx')).MissingAnswers,
}))

/** What organisers tell players now. */
export function Announced() {
  const { token } = useSession()
  const isAsked = useConfig()?.fields === true && token !== null
  return (
    <div className={styles.news}>
      {isAsked && (
        <Suspense>
          <MissingAnswers />
        </Suspense>
      )}
      <NextWavePanel />
      <Latest />
    </div>
  )
}

/** The latest announcements, once the bell has read them; nothing while there are none. */
function Latest() {
  const text = useMessages(announcementsMessages)
  const format = useFormat()
  const list = useAnnouncements({ isObserver: true }).data?.slice(0, LISTED) ?? []
  if (list.length === 0) return null
  return (
    <Panel title={text.title} actions={<Link to={paths.announcements()}>{text.all}</Link>}>
      <ul className={styles.list}>
        {list.map(({ id, title, severity, publishedAt }) => (
          <li key={id} data-severity={severity}>
            <Link to={`${paths.announcements()}#${id}`}>{title}</Link>
            <time dateTime={new Date(publishedAt).toISOString()}>{format.dateTime(publishedAt)}</time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
