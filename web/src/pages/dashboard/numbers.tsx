import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useFailure } from '../../api/use-failure.ts'
import { clockDifferenceMs, useNow } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './dashboard.module.css'
import { healthQuery, overviewQuery } from './queries.ts'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

const TILES = 5

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Current numbers of the contest, in large type. */
export function Figures() {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const source = useQuery(overviewQuery)
  const { error } = useFailure(source)
  if (source.data === undefined && error === null) {
    return (
      <div className={styles.waiting}>
        <Skeleton rows={TILES} height="100%" />
      </div>
    )
  }
  const overview = source.data
  const { submissionsPerMinute = [], correctPerMinute = [], instances, adminBot } = overview ?? {}
  const seconds = (ms: number) => text.seconds(number(Math.round(ms / SECOND_MS)))
  const oldest = adminBot && adminBot.queued > 0 ? ` ${text.oldest(seconds(adminBot.oldestQueuedMs))}` : ''
  return (
    <section aria-label={text.numbers}>
      <dl className={styles.tiles}>
        <Tile
          name={text.submissions}
          small={text.correctOf(number(correctPerMinute.at(-1) ?? 0))}
          source={source}
        >
          {number(submissionsPerMinute.at(-1) ?? 0)}
        </Tile>
        <Tile name={text.solves} small={text.thisHour(number(sumOf(correctPerMinute)))} source={source}>
          {number(overview?.solves ?? 0)}
        </Tile>
        <Tile name={text.activeTeams} small={text.ofTeams(number(overview?.teams ?? 0))} source={source}>
          {number(overview?.activeTeams15m ?? 0)}
        </Tile>
        {instances !== null && (
          <Tile
            name={text.instances}
            {...(instances && {
              small: text.instanceStates(number(instances.starting), number(instances.errored)),
            })}
            source={source}
          >
            {number(instances?.running ?? 0)}
          </Tile>
        )}
        {adminBot && (
          <Tile name={text.bot} small={text.botRunning(number(adminBot.running)) + oldest} source={source}>
            {number(adminBot.queued)}
          </Tile>
        )}
        {overview?.waitingRegistrations !== undefined && (
          <Tile name={text.waitingRegistrations} source={source}>
            <Link to={paths.registrations()}>{number(overview.waitingRegistrations)}</Link>
          </Tile>
        )}
        <Tile name={text.verifications} source={source}>
          {number(overview?.pendingVerifications ?? 0)}
        </Tile>
      </dl>
    </section>
  )
}

/** State of the server. `isFull`: whether the team may see more than whether it responds. */
export function Health({ isFull }: { readonly isFull: boolean }) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const overview = useQuery({ ...overviewQuery, enabled: isFull })
  const health = useQuery(healthQuery)
  const seconds = (ms: number) => text.seconds(number(Math.round(ms / SECOND_MS)))
  const offMs = Math.abs(clockDifferenceMs())
  return (
    <dl className={styles.health}>
      <Tile
        name={text.health}
        small={text.tookMs(number(Math.round(health.data?.tookMs ?? 0)))}
        source={health}
      >
        {health.data?.isReady ? text.ready : text.notReady}
      </Tile>
      {isFull && (
        <>
          <Tile name={text.standings} source={overview}>
            {seconds(overview.data?.standingsAgeMs ?? 0)}
          </Tile>
          <Tile name={text.mail} source={overview}>
            {number(overview.data?.outboxPending ?? 0)}
          </Tile>
        </>
      )}
      <Tile name={text.clock} source={health}>
        {offMs < SECOND_MS ? text.clockInSync : seconds(offMs)}
      </Tile>
    </dl>
  )
}

/** Numbers older than one refresh interval show their age. */
const TOLD_FROM_MS = 12 * SECOND_MS

interface Source {
  /** Unix milliseconds, browser clock; 0 before the first response. */
  readonly dataUpdatedAt: number
  readonly isError: boolean
}

interface TileProps {
  readonly name: string
  readonly small?: string
  /** Source of the number; the tile is greyed out while it fails. */
  readonly source: Source
  readonly children: ReactNode
}

/** One statistic of the dashboard. */
function Tile({ name, small, source, children }: TileProps) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  // The age is measured with the browser clock, independent of the server clock.
  useNow()
  const isReported = source.dataUpdatedAt > 0
  const ageMs = isReported ? Date.now() - source.dataUpdatedAt : 0
  return (
    <div className={cx(styles.tile, source.isError && styles.failing)}>
      <dt className={styles.small}>{name}</dt>
      <dd className={styles.value}>
        {isReported ? children : text.notReported}
        {isReported && small !== undefined && <span className={styles.small}> {small}</span>}
        {ageMs > TOLD_FROM_MS && (
          <span className="pn-fine pn-warn"> {text.age(number(Math.round(ageMs / SECOND_MS)))}</span>
        )}
      </dd>
    </div>
  )
}
