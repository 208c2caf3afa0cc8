import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './dashboard.module.css'
import type { Statistics } from './queries.ts'

/** Maximum number of challenges listed by name; the rest is a count. */
const MAX_NAMED = 8

/** Public challenges without a solve, those with most wrong flags first: the stored flag may be wrong. */
export function Unsolved({ challenges }: Pick<Statistics, 'challenges'>) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const unsolved = challenges.filter(({ solves }) => solves === 0).sort((a, b) => b.wrong - a.wrong)
  if (unsolved.length === 0) {
    return <EmptyState isPart>{challenges.length === 0 ? text.nothingToSolve : text.allSolved}</EmptyState>
  }
  const rest = unsolved.length - MAX_NAMED
  return (
    <ul className={styles.lines}>
      {unsolved.slice(0, MAX_NAMED).map(({ id, name, category, wrong }) => (
        <li key={id}>
          <CategoryMark name={category} form="icon" />
          <Link to={paths.adminChallenge(id)} className={styles.cut}>
            <bdi>{name}</bdi>
          </Link>
          {wrong > 0 && (
            <Link to={paths.submissionsOf(id)} className={styles.small}>
              {text.wrongAnswers(wrong, number(wrong))}
            </Link>
          )}
        </li>
      ))}
      {rest > 0 && <li>{text.andMore(rest)}</li>}
    </ul>
  )
}
