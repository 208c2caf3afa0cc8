import { useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { ScoreGraph } from '../../ui/plots/plots.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useGraphLines } from './graph-data.ts'
import styles from './scores.module.css'
import { useMedia } from './use-media.ts'
import { words } from './words.ts'

/** The plot is drawn anew only so often: its buckets are minutes long. */
const STEP_MS = 60_000
const WIDE_PX = 220
const NARROW_PX = 180

/** The first ten teams over time, and the own one. */
export function Graph({ division }: { readonly division: string | undefined }) {
  const text = useText(words)
  const lines = useGraphLines(division)
  const now = useTimed((at) => Math.ceil(at / STEP_MS) * STEP_MS)
  const height = useMedia('(min-width: 1024px)') ? WIDE_PX : NARROW_PX
  if (!lines) return <Skeleton height={`${height}px`} />
  if (lines.length === 0) return null
  return (
    <div className={styles.graph}>
      <ScoreGraph label={text.graphOf} lines={lines} now={now} height={height} />
    </div>
  )
}
