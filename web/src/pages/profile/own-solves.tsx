import { readTeamActivity } from '@pennant/contract/people.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { ActivityList, PersonName } from '../../account/activity.tsx'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import { SolveTable, type SolveTableProps } from './solve-table.tsx'
import styles from './profile.module.css'

const EVERY_MS = 5 * MINUTE_MS

/** The solves of the own team, with who solved each challenge, and what else its people did. */
export function OwnSolves({ solves, start }: SolveTableProps) {
  const text = useMessages(profileMessages)
  const { activity } = useMessages(peopleMessages)
  const { data } = useQuery({
    // A new solve has a solver.
    queryKey: [OWN_KEY, 'activity', solves.length],
    queryFn: ({ signal }) => requestData(readTeamActivity, {}, { signal, turn: 'later' }),
    ...refresh(EVERY_MS),
  })
  const solvers = new Map(data?.solvers.map(({ challengeId, person }) => [challengeId, person]))
  const column = {
    id: 'person',
    head: activity.solvedBy,
    cell: ({ id }: { readonly id: string }) => data && <PersonName person={solvers.get(id)} />,
  }
  return (
    <>
      <div id="solves" className={styles.part}>
        <Section title={text.solves}>
          <SolveTable solves={solves} start={start} extra={column} />
        </Section>
      </div>
      {data && (
        <div id="activity" className={styles.part}>
          <Section title={activity.title}>
            <ActivityList actions={data.actions} />
          </Section>
        </div>
      )}
    </>
  )
}
