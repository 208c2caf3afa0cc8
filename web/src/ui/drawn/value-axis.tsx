import styles from './drawn.module.css'

interface ValueAxisProps {
  readonly ticks: readonly number[]
  /** Where a value is, in pixels from the top. */
  readonly y: (value: number) => number
  readonly label: (value: number) => string
  /** The lines begin here, in pixels, right of the labels. */
  readonly start: number
  readonly width: number
}

/** Horizontal lines of a plot at round values, each with its label. */
export function ValueAxis({ ticks, y, label, start, width }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <path className={styles.grid} d={`M${start} ${Math.round(y(tick)) + 0.5}H${width}`} />
      <text x={start - 6} y={y(tick) + 4} textAnchor="end">
        {label(tick)}
      </text>
    </g>
  ))
}
