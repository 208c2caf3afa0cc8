import type { ReactNode } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useNow } from '../../state/clock.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { cx } from '../../ui/cx.ts'
import styles from './dashboard.module.css'

/** Numbers older than one refresh interval show their age. */
const TOLD_FROM_MS = 12 * SECOND_MS

export interface Source {
  /** Unix milliseconds, browser clock; 0 before the first response. */
  readonly dataUpdatedAt: number
  readonly isError: boolean
}

interface TileProps {
  readonly name: string
  readonly small?: string
  /** Source of the number; the tile is greyed out while it fails. */
  readonly source: Source
  readonly children: ReactNode
}

/** One statistic of the dashboard. */
export function Tile({ name, small, source, children }: TileProps) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  // The age is measured with the browser clock, independent of the server clock.
  useNow()
  const isReported = source.dataUpdatedAt > 0
  const ageMs = isReported ? Date.now() - source.dataUpdatedAt : 0
  return (
    <div className={cx(styles.tile, source.isError && styles.failing)}>
      <dt className={styles.small}>{name}</dt>
      <dd className={styles.value}>
        {isReported ? children : text.notReported}
        {isReported && small !== undefined && <span className={styles.small}> {small}</span>}
        {ageMs > TOLD_FROM_MS && (
          <span className="pn-fine pn-warn"> {text.age(number(Math.round(ageMs / SECOND_MS)))}</span>
        )}
      </dd>
    </div>
  )
}
