import { lazy, Suspense } from 'react'
import { useTrouble } from '../../api/use-failure.ts'
import { Awaited } from './awaited.tsx'
import { useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useGraphLines } from './graph-data.ts'
import styles from './scores.module.css'
import { useMedia } from '../../ui/use-media.ts'
import { words } from './words.ts'

const ScoreGraph = lazy(async () => ({ default: (await import('../../ui/plots/plots.tsx')).ScoreGraph }))

/** The plot is drawn anew only so often: its buckets are minutes long. */
const STEP_MS = 60_000
const WIDE_PX = 220
const NARROW_PX = 180

/** The first ten teams over time, and the own one. */
export function Graph({ division }: { readonly division: string | undefined }) {
  const text = useText(words)
  const { lines, awaited, query } = useGraphLines({ division })
  const trouble = useTrouble(query)
  const now = useTimed((at) => Math.ceil(at / STEP_MS) * STEP_MS)
  const height = useMedia('(min-width: 1024px)') ? WIDE_PX : NARROW_PX
  const waiting = (
    <Awaited trouble={trouble}>
      <Skeleton height={`${height}px`} />
      <div className={styles.legend} aria-hidden="true">
        {Array.from({ length: awaited }, (_, at) => (
          <span key={at} />
        ))}
      </div>
    </Awaited>
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
