import { useQuery } from '@tanstack/react-query'
import { useTrouble } from '../../api/use-failure.ts'
import { clockDifferenceMs } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './dashboard.module.css'
import { Minutes } from './minutes.tsx'
import { healthQuery, overviewQuery, type Overview } from './queries.ts'
import { Tile, type Source } from './tile.tsx'
import { words } from './words.ts'

const SECOND_MS = 1000
/** As many as an overview fills. */
const OVERVIEW_TILES = 8

/** How the contest does. `isFull`: whether the team may see more than the server's health. */
export function Numbers({ isFull }: { readonly isFull: boolean }) {
  const overview = useQuery({ ...overviewQuery, enabled: isFull })
  const { failure } = useTrouble(overview)
  const isWaiting = overview.data === undefined && failure === null
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
  /** Undefined while there was no answer. */
  readonly overview: Overview | undefined
  readonly source: Source
}

function OverviewTiles({ overview, source }: OverviewTilesProps) {
  const text = useText(words)
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
  const text = useText(words)
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
        {offMs < SECOND_MS ? text.clockRight : offSeconds}
      </Tile>
    </>
  )
}
