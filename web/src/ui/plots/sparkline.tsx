import { sampledScores, stepsPath, type ScorePoint } from './sampled-scores.ts'
import styles from './plots.module.css'

interface SparklineProps {
  /** In the order of time. */
  readonly points: readonly ScorePoint[]
  /** Milliseconds since 1970: the start and end of the line. */
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
  /** Fills the area below the line. */
  readonly hasArea?: boolean
}

const EDGE = 4

/** A team's score over time as a stepped line in the current colour. Hidden from readers: a number is next to it. */
export function Sparkline({ points, from, to, width, height, hasArea = false }: SparklineProps) {
  const values = sampledScores(points, { from, to })
  const { path, end } = stepsPath(values, { width, height, edge: EDGE })
  return (
    <svg
      className={styles.spark}
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {hasArea && <path className={styles.sparkArea} d={`${path}V${height - 2}H1Z`} />}
      <path className={styles.sparkLine} d={path} />
      <circle cx={end.x} cy={end.y} r="2.4" fill="currentColor" />
    </svg>
  )
}
