import styles from './dashboard.module.css'

const HEIGHT = 48
const BAR = 8
const GAP = 2

interface MinutesProps {
  readonly label: string
  /** The last is the minute under way. */
  readonly counts: readonly number[]
}

/** A bar for each minute; the numbers beside it say the same in words. */
export function Minutes({ label, counts }: MinutesProps) {
  const most = Math.max(1, ...counts)
  return (
    <svg
      className={styles.minutes}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${counts.length * (BAR + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {counts.map((count, at) => {
        const height = Math.max(1, (count / most) * HEIGHT)
        return <rect key={at} x={at * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} />
      })}
    </svg>
  )
}
