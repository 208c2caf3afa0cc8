import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import styles from './dashboard.module.css'
import { lastSolvesQuery } from './queries.ts'
import { words } from './words.ts'

/** The newest right flags. */
export function LastSolves() {
  const text = useText(words)
  const format = useFormat()
  const now = useNow()
  const query = useQuery(lastSolvesQuery)
  if (!query.data) return <Waiting query={query} rows={4} />
  const { submissions } = query.data
  if (submissions.length === 0) return <p>{text.noSolves}</p>
  return (
    <ol className={styles.list}>
      {submissions.map(({ id, userId, userName, challengeId, challengeName, createdAt }) => (
        <li key={id}>
          <Link to={paths.adminTeam(userId)}>
            <bdi>{userName}</bdi>
          </Link>
          <Link to={paths.adminChallenge(challengeId)}>
            <bdi>{challengeName}</bdi>
          </Link>
          <time dateTime={createdAt} className={styles.small}>
            {format.relative(Math.min(Date.parse(createdAt), now), now)}
          </time>
        </li>
      ))}
    </ol>
  )
}
