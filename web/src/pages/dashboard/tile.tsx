import type { ReactNode } from 'react'
import { useNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import styles from './dashboard.module.css'
import { words } from './words.ts'

const SECOND_MS = 1000
/** Older numbers than the next refresh would leave tell their age. */
const TOLD_FROM_MS = 12 * SECOND_MS

export interface Source {
  /** Unix milliseconds of this browser; 0 before the first answer. */
  readonly dataUpdatedAt: number
  readonly isError: boolean
}

interface TileProps {
  readonly name: string
  readonly small?: string
  /** Where the number comes from: it is grey while that fails. */
  readonly source: Source
  /** Beside the number, in a tile that is wider. */
  readonly chart?: ReactNode
  readonly children: ReactNode
}

/** One number of the dashboard. */
export function Tile({ name, small, source, chart, children }: TileProps) {
  const text = useText(words)
  const { number } = useFormat()
  // The age is that of the answer in this browser, whatever the server's clock says.
  useNow()
  const isReported = source.dataUpdatedAt > 0
  const ageMs = isReported ? Date.now() - source.dataUpdatedAt : 0
  return (
    <div className={cx(styles.tile, chart !== undefined && styles.wide, source.isError && styles.failing)}>
      <dt className={styles.small}>{name}</dt>
      <dd className={styles.value}>
        {isReported ? children : text.notReported}
        {isReported && small !== undefined && <span className={styles.small}> {small}</span>}
        {ageMs > TOLD_FROM_MS && (
          <span className={styles.age}> {text.old(number(Math.round(ageMs / SECOND_MS)))}</span>
        )}
      </dd>
      {isReported && chart !== undefined && <dd className={styles.chart}>{chart}</dd>}
    </div>
  )
}
