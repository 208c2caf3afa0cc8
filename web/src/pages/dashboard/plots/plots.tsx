import { HOUR_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useMessages } from '../../../text/messages.ts'
import { Panel } from '../../../ui/states/panel.tsx'
import { overviewQuery, setChallengesQuery, statisticsQuery } from '../queries.ts'
import { releasesIn } from '../releases.ts'
import { CategoryBalance } from './category-balance.tsx'
import { DifficultyPlot } from './difficulty-plot.tsx'
import { MinutesPlot } from './minutes-plot.tsx'
import { Unsolved } from '../unsolved.tsx'
import styles from '../../../ui/drawn/drawn.module.css'
import { SolvesPlot } from './solves-plot.tsx'

/** All plots of the dashboard. Loaded when the event has begun. */
export function Plots() {
  const text = useMessages(dashboardMessages)
  const overview = useQuery(overviewQuery)
  const statistics = useQuery(statisticsQuery)
  const { data } = statistics
  const challenges = useQuery(setChallengesQuery).data ?? []
  const now = overview.data?.now ?? 0
  return (
    <>
      {overview.data ? (
        <MinutesPlot
          overview={overview.data}
          releases={releasesIn(challenges, { from: now - HOUR_MS, to: now })}
        />
      ) : (
        <Panel title={text.submissionsPerMinute}>
          <Waiting query={overview} rows={4} />
        </Panel>
      )}
      {!data && (
        <Panel title={text.difficulty}>
          <Waiting query={statistics} rows={6} />
        </Panel>
      )}
      {data && (
        <>
          <div className={styles.pair}>
            <DifficultyPlot statistics={data} />
            <div className={styles.stack}>
              <SolvesPlot statistics={data} />
              <Panel title={text.unsolved}>
                <Unsolved challenges={data.challenges} />
              </Panel>
            </div>
          </div>
          {data.categories.length > 0 && <CategoryBalance statistics={data} />}
        </>
      )}
    </>
  )
}
