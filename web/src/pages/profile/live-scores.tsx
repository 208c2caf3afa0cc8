import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Pennant } from '../../ui/marks/pennant.tsx'
import type { Challenge, Team } from './team.ts'
import styles from './profile.module.css'
import { words } from './words.ts'

interface LiveScoresProps {
  readonly scores: Team['dynamicScores']
  readonly challenges: readonly Challenge[]
}

/** Challenges whose points change as long as they run. */
export function LiveScores({ scores, challenges }: LiveScoresProps) {
  const text = useText(words)
  const format = useFormat()
  return (
    <ul className={styles.list}>
      {scores.map(({ id, points, pointDelta }) => (
        <li key={id}>
          <Pennant sign="live" hidden />
          <Link to={paths.challenge(id)}>
            <bdi>{challenges.find((challenge) => challenge.id === id)?.name ?? id}</bdi>
          </Link>
          <b>{text.score(format.number(points))}</b>
          {pointDelta !== 0 && <span className={styles.muted}>{format.signed(pointDelta)}</span>}
        </li>
      ))}
    </ul>
  )
}
