import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { boardChallengesQuery } from '../../api/queries.ts'
import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import styles from './dashboard.module.css'
import { wrongAnswersQuery } from './queries.ts'
import { mostTried } from './tries.ts'
import { words } from './words.ts'

/** Challenges are named up to here; of more, their number is told. */
const MOST_NAMED = 12
const NONE: ReadonlyMap<string, number> = new Map()

/** Public challenges that nobody has solved, and those of them that many try: their flag may be wrong. */
export function Unsolved() {
  const text = useText(words)
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
