import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RequestFailure } from '../../api/failure.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { publicStatisticsQuery } from './queries.ts'
import { ReportView } from './report.tsx'
import styles from './statistics.module.css'

/** For everyone, after the end. */
export function PublicStatistics() {
  const text = useMessages(statisticsMessages)
  const frame = useMessages(frameMessages)
  const { dateTime } = useFormat()
  usePageTitle(text.title)
  const query = useQuery(publicStatisticsQuery)
  const failure = useFailure(query)
  const { data } = query
  const isClosed = failure.error instanceof RequestFailure && failure.error.kind === 'badStatistics'
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{text.title}</h1>
        {data && <span className={styles.asOf}>{text.asOf(dateTime(data.from), dateTime(data.until))}</span>}
      </header>
      {isClosed && (
        <EmptyState action={<Link to={paths.scores()}>{frame.scoreboard}</Link>}>
          {text.closed} {text.closedUntil}
        </EmptyState>
      )}
      {data && !isClosed && <ReportView report={data} linkOf={paths.challenge} isOrganiser={false} />}
      {!data && !isClosed && (
        <LoadState failure={failure}>
          <Skeleton rows={12} height="2.5rem" />
        </LoadState>
      )}
    </div>
  )
}
