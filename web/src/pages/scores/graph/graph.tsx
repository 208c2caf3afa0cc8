import { lazy, Suspense } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useFailure } from '../../../api/use-failure.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { useTimed } from '../../../state/clock.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useMessages } from '../../../text/messages.ts'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { useGraphLines } from './graph-data.ts'
import styles from '../scores.module.css'
import { useMedia } from '../../../ui/use-media.ts'

const ScoreGraph = lazy(async () => ({ default: (await import('../../../ui/plots/plots.tsx')).ScoreGraph }))

const SmallScoreGraph = lazy(async () => ({
  default: (await import('../../../ui/plots/plots.tsx')).SmallScoreGraph,
}))

/** Minimum interval between redraws; the data buckets are minutes long. */
const STEP_MS = MINUTE_MS
const WIDE_PX = 168
const NARROW_PX = 180

/** The same above the frozen columns of the matrix, which leaves the height to the rows. */
export function MatrixGraph({
  division,
  track,
  height,
}: {
  readonly division: string | undefined
  readonly track: string | undefined
  readonly height: number
}) {
  const { lines } = useGraphLines({ division, track })
  const now = useTimed((at) => Math.ceil(at / STEP_MS) * STEP_MS)
  return <Suspense>{lines && lines.length > 0 && <SmallScoreGraph {...{ lines, now, height }} />}</Suspense>
}

interface GraphProps {
  readonly division: string | undefined
  readonly track: string | undefined
}

/** Scores of the top ten teams and of the own team over time. */
export function Graph({ division, track }: GraphProps) {
  const text = useMessages(scoresMessages)
  const { lines, query } = useGraphLines({ division, track })
  const failure = useFailure(query)
  const now = useTimed((at) => Math.ceil(at / STEP_MS) * STEP_MS)
  const height = useMedia('(min-width: 1024px)') ? WIDE_PX : NARROW_PX
  const waiting = (
    <LoadState failure={failure}>
      <Skeleton height={`${height}px`} />
    </LoadState>
  )
  if (lines?.length === 0) return null
  return (
    <div className={styles.graph}>
      <Suspense fallback={waiting}>
        {lines ? <ScoreGraph label={text.graphOf} lines={lines} now={now} height={height} /> : waiting}
      </Suspense>
    </div>
  )
}
