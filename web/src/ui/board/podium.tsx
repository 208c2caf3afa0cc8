import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useFormat } from '../../text/messages.ts'
import { cx } from '../cx.ts'
import { Avatar } from '../data/team-name.tsx'
import styles from './podium.module.css'

const AVATAR_PX = 64
const STEPS = ['first', 'second', 'third'] as const

interface PodiumProps {
  /** Best first; the first three are shown. */
  readonly rows: readonly {
    readonly id: string
    readonly name: string
    readonly avatarUrl: string | null
    readonly score: number
  }[]
}

/** The first three on cloths of different length, the first in the middle. */
export function Podium({ rows }: PodiumProps) {
  const format = useFormat()
  return (
    <ol className={styles.podium}>
      {rows.slice(0, 3).map(({ id, name, avatarUrl, score }, at) => (
        <li key={id} data-medal={at + 1} className={cx(styles.winner, styles[STEPS[at] ?? 'first'])}>
          <span className={styles.cloth}>
            <Avatar name={name} teamId={id} url={avatarUrl} size={AVATAR_PX} />
            <span className={styles.digit}>{at + 1}</span>
          </span>
          <Link to={paths.team(id)} className="pn-cut">
            <bdi>{name}</bdi>
          </Link>
          <b className={styles.points}>{format.number(score)}</b>
        </li>
      ))}
    </ol>
  )
}
