import plots from '../../ui/drawn/drawn.module.css'
import { cx } from '../../ui/cx.ts'
import styles from './statistics.module.css'

interface LegendProps {
  readonly foot: string
  readonly rest: string
  readonly tone: 'warm' | 'cool'
}

/** The two parts of stacked bars. */
export function Legend({ foot, rest, tone }: LegendProps) {
  return (
    <p className={cx(plots.legend, styles.legend)}>
      <span className={tone === 'warm' ? undefined : styles.ownKey}>{foot}</span>
      <span className={tone === 'warm' ? plots.wrongKey : styles.coolKey}>{rest}</span>
    </p>
  )
}
