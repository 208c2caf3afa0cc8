import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { percent } from './amounts.ts'
import type { Report } from './queries.ts'
import styles from './statistics.module.css'

/** The event in five numbers. */
export function Totals({ total }: { readonly total: Report['total'] }) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const tiles = [
    [text.teams, total.teams, undefined],
    [text.active, total.active, text.share(of(total.active, total.teams))],
    [text.solvers, total.solvers, text.shareOfActive(of(total.solvers, total.active))],
    [text.submissions, total.submissions, undefined],
    [text.solves, total.solves, undefined],
  ] as const
  return (
    <dl className={styles.tiles} aria-label={text.figures}>
      {tiles.map(([name, value, small]) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd>
            {number(value)}
            {small !== undefined && <small>{small}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function of(part: number, whole: number): string {
  return percent(whole === 0 ? 0 : part / whole)
}
