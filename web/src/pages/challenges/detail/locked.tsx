import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { challengesQuery } from '../../../api/queries.ts'
import type { Challenge } from '../../../challenge/challenge.ts'
import { paths } from '../../../paths.ts'
import { lockedMessages } from '../../../text/en/locked.ts'
import { useMessages } from '../../../text/messages.ts'
import { Panel } from '../../../ui/states/panel.tsx'
import styles from './locked.module.css'

/** In place of the content of a challenge that the team has not opened yet. */
export function Locked({ challenge: { requires = [] } }: { readonly challenge: Challenge }) {
  const text = useMessages(lockedMessages)
  const challenges = useQuery(challengesQuery()).data ?? []
  const required = challenges.filter(({ id }) => requires.includes(id))
  return (
    <Panel title={text.title}>
      <p className="pn-flat">{required.length > 0 ? text.about : text.aboutOthers}</p>
      <ul className={styles.list}>
        {required.map(({ id, name, yourScore }) => (
          <li key={id}>
            <Link to={paths.challenge(id)}>
              <bdi>{name}</bdi>
            </Link>
            {yourScore !== undefined && ` · ${text.solved}`}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
