import type { CSSProperties } from 'react'
import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { categoryOf, compareCategories } from '../../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../../ui/marks/category-mark.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import type { Statistics } from '../queries.ts'
import styles from '../../../ui/drawn/drawn.module.css'

/** Challenges, points and solves of each category. A table with bars, so it needs no second form. */
export function CategoryBalance({ statistics }: { readonly statistics: Statistics }) {
  const text = useMessages(dashboardMessages)
  const all = statistics.categories.toSorted((a, b) => compareCategories(a.category, b.category))
  const maxOf = (of: 'challenges' | 'points' | 'solves') => Math.max(1, ...all.map((each) => each[of]))
  const most = { challenges: maxOf('challenges'), points: maxOf('points'), solves: maxOf('solves') }
  return (
    <Panel title={text.categories} className={styles.panel}>
      <div className={styles.scroller} tabIndex={0} role="group" aria-label={text.categories}>
        <table className={styles.balance}>
          <thead>
            <tr>
              <th scope="col">{text.category}</th>
              <th scope="col">{text.challenges}</th>
              <th scope="col">{text.points}</th>
              <th scope="col">{text.solves}</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ category, challenges, points, solves }) => (
              <tr key={category} style={clothStyle(categoryOf(category))}>
                <th scope="row">
                  <CategoryMark name={category} />
                </th>
                <Bar value={challenges} most={most.challenges} />
                <Bar value={points} most={most.points} />
                <Bar value={solves} most={most.solves} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function Bar({ value, most }: { readonly value: number; readonly most: number }) {
  const { number } = useFormat()
  return (
    <td>
      <span className={styles.bar} style={{ '--share': value / most } as CSSProperties}>
        {number(value)}
      </span>
    </td>
  )
}
