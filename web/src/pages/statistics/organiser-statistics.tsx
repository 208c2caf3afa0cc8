import { useQuery } from '@tanstack/react-query'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Publication } from './publication.tsx'
import { eventStatisticsQuery } from './queries.ts'
import { ReportView } from './report.tsx'
import styles from './statistics.module.css'
import { WrongFlags } from './wrong-flags.tsx'

/** For organisers, at any time. */
export function OrganiserStatistics() {
  const text = useMessages(statisticsMessages)
  const { dateTime } = useFormat()
  const query = useQuery(eventStatisticsQuery)
  const { data } = query
  return (
    <OrganiserPage
      title={text.title}
      aside={
        data && <span className={styles.asOf}>{text.asOf(dateTime(data.from), dateTime(data.until))}</span>
      }
    >
      <Publication />
      {data ? (
        <ReportView report={data} linkOf={paths.adminChallenge} isOrganiser>
          <WrongFlags />
        </ReportView>
      ) : (
        <Waiting query={query} rows={16} />
      )}
    </OrganiserPage>
  )
}
