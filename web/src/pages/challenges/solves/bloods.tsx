import { useInfiniteQuery } from '@tanstack/react-query'
import { useConfig } from '../../../api/use-contest.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { clockText } from '../../../ui/data/durations.ts'
import { BLOODS, Pennant } from '../../../ui/marks/pennant.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { TeamCell } from './records.tsx'
import styles from './records.module.css'
import { solvesQuery } from './queries.ts'

/** The first three teams to solve a challenge. */
export function Bloods({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const start = useConfig()?.startTime ?? 0
  const first = useInfiniteQuery(solvesQuery(id)).data?.pages[0]?.solves ?? []
  const bloods = first.filter(({ bloodIndex }) => bloodIndex !== null)
  if (bloods.length === 0) return null
  return (
    <Panel title={text.bloods} level={3}>
      <ol className={styles.bloods}>
        {bloods.map((solve) => (
          <li key={solve.id}>
            <Pennant sign={BLOODS[solve.bloodIndex ?? 0] ?? 'blood1'} />
            <TeamCell team={solve} />
            <span className={styles.small}>{clockText(Math.max(0, solve.createdAt - start))}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
