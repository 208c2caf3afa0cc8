import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { boardChallengesQuery } from '../../api/queries.ts'
import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './dashboard.module.css'
import { wrongAnswersQuery } from './queries.ts'
import { mostTried } from './tries.ts'

/** Maximum number of challenges listed by name; the rest is a count. */
const MOST_NAMED = 12
const NONE: ReadonlyMap<string, number> = new Map()

/** Public challenges without a solve. Many wrong flags can mean that the stored flag is wrong. */
export function Unsolved() {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const heads = useQuery(boardChallengesQuery())
  const unsolved = Object.entries(heads.data?.challenges ?? {})
    .filter(([, { solves, scoringKind }]) => solves === 0 && scoringKind !== 'dynamic')
    .map(([id, { name }]) => ({ id, name }))
  const wrong = useQuery({
    ...wrongAnswersQuery(unsolved.map(({ id }) => id)),
    enabled: unsolved.length > 0,
  })
  if (!heads.data) return <Waiting query={heads} rows={2} />
  const isEmpty = Object.keys(heads.data.challenges).length === 0
  if (unsolved.length === 0) return <p>{isEmpty ? text.nothingToSolve : text.allSolved}</p>
  const triesById = wrong.data ?? NONE
  const rest = unsolved.length - MOST_NAMED
  return (
    <ul className={styles.list}>
      {mostTried(unsolved, triesById)
        .slice(0, MOST_NAMED)
        .map(({ id, name }) => {
          const tries = triesById.get(id)
          return (
            <li key={id}>
              <Link to={paths.adminChallenge(id)}>
                <bdi>{name}</bdi>
              </Link>
              {tries !== undefined && (
                <Link
                  to={`${paths.submissions()}?filter=${encodeURIComponent(`challenge:${encodeURIComponent(id)}`)}`}
                >
                  {text.wrongAnswers(tries, number(tries))}
                </Link>
              )}
            </li>
          )
        })}
      {rest > 0 && <li>{text.andMore(rest)}</li>}
    </ul>
  )
}
