import styles from './dashboard.module.css'

const HEIGHT = 48
const BAR = 8
const GAP = 2

interface MinutesProps {
  readonly label: string
  /** The last is the minute under way. */
  readonly counts: readonly number[]
  /** Of these the right ones. */
  readonly correct: readonly number[]
}

/** A bar for each minute, its lower part the right ones; the numbers beside it say the same in words. */
export function Minutes({ label, counts, correct }: MinutesProps) {
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
