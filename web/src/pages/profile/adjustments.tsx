import { listScoreAdjustments } from '@pennant/contract/score-adjustments.ts'
import { useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useGate } from '../../api/use-contest.ts'
import { refreshForAll } from '../../state/live.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import styles from './profile.module.css'

interface AdjustmentsPartProps {
  readonly id: string
  /** A change of it is followed by a request. */
  readonly score: number
}

/** What organisers awarded to the team or deducted; nothing if there is none. */
export function AdjustmentsPart({ id, score }: AdjustmentsPartProps) {
  const text = useMessages(profileMessages)
  const format = useFormat()
  const { isEarly } = useGate('challsRead')
  const query = useQuery({
    queryKey: [...(isEarly ? [OWN_KEY] : []), 'adjustments', id, score],
    queryFn: ({ signal }) =>
      requestData(listScoreAdjustments, { params: { id } }, { signal, asTeam: isEarly, turn: 'later' }),
    ...refreshForAll(5 * MINUTE_MS),
  })
  const adjustments = query.data?.adjustments ?? []
  if (adjustments.length === 0) return null
  return (
    <div id="adjustments" className={styles.part}>
      <Section title={text.adjustments}>
        <ul className={styles.list}>
          {adjustments.map(({ id: adjustment, points, reason, at }) => (
            <li key={adjustment}>
              <b>{format.signed(points)}</b>
              <bdi>{reason}</bdi>
              <time className={styles.muted} dateTime={new Date(at).toISOString()}>
                {format.dateTime(at)}
              </time>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
