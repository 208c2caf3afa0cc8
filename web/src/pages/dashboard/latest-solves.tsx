import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './dashboard.module.css'
import { lastSolvesQuery } from './queries.ts'

/** The latest correct flags. */
export function LatestSolves() {
  const text = useMessages(dashboardMessages)
  const format = useFormat()
  const now = useNow()
  const query = useQuery(lastSolvesQuery)
  if (!query.data) return <Waiting query={query} rows={4} />
  const { submissions } = query.data
  if (submissions.length === 0) return <EmptyState isPart>{text.noSolves}</EmptyState>
  return (
    <ol className={styles.lines}>
      {submissions.map((row) => (
        <li key={row.id}>
          <Avatar name={row.userName} teamId={row.userId} url={null} size={22} />
          <Link to={paths.adminTeam(row.userId)} className={styles.cut}>
            <bdi>{row.userName}</bdi>
          </Link>
          <CategoryMark name={row.challengeCategory} form="icon" />
          <Link to={paths.adminChallenge(row.challengeId)} className={styles.cut}>
            <bdi>{row.challengeName}</bdi>
          </Link>
          <time dateTime={row.createdAt} className={styles.small}>
            {format.relative(Math.min(parseTimestamp(row.createdAt), now), now)}
          </time>
        </li>
      ))}
    </ol>
  )
}
