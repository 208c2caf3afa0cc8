import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { useFailure } from '../../api/use-failure.ts'
import { clockDifferenceMs } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './dashboard.module.css'
import { healthQuery, overviewQuery, type Overview } from './queries.ts'
import { Tile, type Source } from './tile.tsx'

const HEIGHT = 48
const BAR = 8
const GAP = 2

/** Number of tiles in a full overview. */
const OVERVIEW_TILES = 8

/** Contest statistics. `isFull`: whether the team may see more than the server's health. */
export function Numbers({ isFull }: { readonly isFull: boolean }) {
  const overview = useQuery({ ...overviewQuery, enabled: isFull })
  const { error } = useFailure(overview)
  const isWaiting = overview.data === undefined && error === null
  return (
    <>
      {isFull && isWaiting && (
        <div className={styles.waiting}>
          <Skeleton rows={OVERVIEW_TILES} height="100%" />
        </div>
      )}
      <dl className={styles.tiles}>
        {isFull && !isWaiting && <OverviewTiles overview={overview.data} source={overview} />}
        <HealthTiles />
      </dl>
    </>
  )
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

interface OverviewTilesProps {
  /** Undefined before the first response. */
  readonly overview: Overview | undefined
  readonly source: Source
}

function OverviewTiles({ overview, source }: OverviewTilesProps) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const seconds = (ms: number) => text.seconds(number(Math.round(ms / SECOND_MS)))
  const minutes = overview?.submissionsPerMinute ?? []
  const right = overview?.correctPerMinute ?? []
  const hour = text.lastHour(number(sumOf(minutes)), number(sumOf(right)))
  const { instances, adminBot } = overview ?? {}
  const oldest = adminBot && adminBot.queued > 0 ? ` ${text.oldest(seconds(adminBot.oldestQueuedMs))}` : ''
  return (
    <>
      <Tile
        name={text.submissions}
        small={hour}
        source={source}
        chart={<Minutes label={text.perMinute} counts={minutes} correct={right} />}
      >
        {number(minutes.at(-1) ?? 0)}
      </Tile>
      <Tile name={text.solves} source={source}>
        {number(overview?.solves ?? 0)}
      </Tile>
      <Tile name={text.activeTeams} small={text.ofTeams(number(overview?.teams ?? 0))} source={source}>
        {number(overview?.activeTeams15m ?? 0)}
      </Tile>
      <Tile name={text.verifications} source={source}>
        {number(overview?.pendingVerifications ?? 0)}
      </Tile>
      <Tile
        name={text.instances}
        {...(instances && {
          small: text.instanceStates(number(instances.starting), number(instances.errored)),
        })}
        source={source}
      >
        {instances ? number(instances.running) : text.notReported}
      </Tile>
      {adminBot && (
        <Tile name={text.bot} small={text.botRunning(number(adminBot.running)) + oldest} source={source}>
          {number(adminBot.queued)}
        </Tile>
      )}
      <Tile name={text.mail} source={source}>
        {number(overview?.outboxPending ?? 0)}
      </Tile>
      <Tile name={text.standings} source={source}>
        {seconds(overview?.standingsAgeMs ?? 0)}
      </Tile>
    </>
  )
}

function HealthTiles() {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const health = useQuery(healthQuery)
  const offMs = Math.abs(clockDifferenceMs())
  const offSeconds = text.seconds(number(Math.round(offMs / SECOND_MS)))
  return (
    <>
      <Tile
        name={text.health}
        small={text.tookMs(number(Math.round(health.data?.tookMs ?? 0)))}
        source={health}
      >
        {health.data?.isReady ? text.ready : text.notReady}
      </Tile>
      <Tile name={text.clock} source={health}>
        {offMs < SECOND_MS ? text.clockInSync : offSeconds}
      </Tile>
    </>
  )
}

interface MinutesProps {
  readonly label: string
  /** The last entry is the current minute. */
  readonly counts: readonly number[]
  /** The correct ones among them. */
  readonly correct: readonly number[]
}

/** A bar per minute, its lower part the correct ones. The numbers next to it are the text equivalent. */
function Minutes({ label, counts, correct }: MinutesProps) {
  const most = Math.max(1, ...counts)
  const bar = (count: number, at: number, className?: string) => {
    const height = (count / most) * HEIGHT
    const place = { x: at * (BAR + GAP), y: HEIGHT - height, width: BAR, height }
    return <rect key={at} className={className} {...place} />
  }
  return (
    <svg
      className={styles.minutes}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${counts.length * (BAR + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <rect y={HEIGHT - 1} width="100%" height={1} />
      {counts.map((count, at) => bar(count, at))}
      {correct.map((count, at) => bar(count, at, styles.right))}
    </svg>
  )
}
