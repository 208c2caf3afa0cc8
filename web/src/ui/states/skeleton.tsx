import { useUiMessages } from '../ui-messages.ts'
import styles from './states.module.css'

interface SkeletonProps {
  /** CSS length: the size of the content that will replace it. */
  readonly width?: string
  readonly height?: string
  /** Number of equal bars, one below the other. */
  readonly rows?: number
}

const MAX_ROWS = 100

/** Placeholder for content that is loading. */
export function Skeleton({ width = '100%', height = '1.25rem', rows = 1 }: SkeletonProps) {
  const messages = useUiMessages()
  return (
    <div role="status" aria-label={messages.loading} className="pn-grid pn-gap-2">
      {Array.from({ length: Math.min(rows, MAX_ROWS) }, (_, at) => (
        <span key={at} aria-hidden="true" className={styles.skeleton} style={{ width, height }} />
      ))}
    </div>
  )
}
