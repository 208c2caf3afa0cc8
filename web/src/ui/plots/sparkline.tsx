import styles from './plots.module.css'

interface SparklineProps {
  /** Scores at equal steps, oldest first. */
  readonly scores: readonly number[]
  readonly width: number
  readonly height: number
  /** Fills the area below the line. */
  readonly hasArea?: boolean
}

/** Room for the dot at the end and above the line, in pixels. */
const EDGE = 4

/** A team's score over time as a stepped line in the current colour. Hidden from readers: a number is next to it. */
export function Sparkline({ scores, width, height, hasArea = false }: SparklineProps) {
  const { path, end } = stepsPath(scores, width, height)
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

function stepsPath(values: readonly number[], width: number, height: number) {
  const most = Math.max(...values, 1)
  const x = (at: number) => round(1 + (at * (width - 1 - EDGE)) / Math.max(values.length - 1, 1))
  const y = (value: number) => round(height - 2 - (Math.max(value, 0) / most) * (height - 2 - EDGE))
  const steps = values.slice(1).map((value, at) => `H${x(at + 1)}V${y(value)}`)
  return {
    path: `M1 ${y(values[0] ?? 0)}${steps.join('')}`,
    end: { x: x(values.length - 1), y: y(values.at(-1) ?? 0) },
  }
}

const round = (value: number) => Math.round(value * 10) / 10
