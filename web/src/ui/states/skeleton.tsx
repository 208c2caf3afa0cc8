import { useWords } from '../words.ts'
import styles from './states.module.css'

interface SkeletonProps {
  /** CSS lengths: the measures of what will stand here. */
  readonly width?: string
  readonly height?: string
  /** As many equal bars, one below the other. */
  readonly rows?: number
}

const MOST_ROWS = 100

/** Holds the place of what is being fetched. */
export function Skeleton({ width = '100%', height = '1.25rem', rows = 1 }: SkeletonProps) {
  const words = useWords()
  return (
    <div role="status" aria-label={words.loading} className={styles.stack}>
      {Array.from({ length: Math.min(rows, MOST_ROWS) }, (_, at) => (
        <span key={at} aria-hidden="true" className={styles.skeleton} style={{ width, height }} />
      ))}
    </div>
  )
}
