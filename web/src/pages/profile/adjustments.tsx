import { listScoreAdjustments } from '@pennant/contract/score-adjustments.ts'
import { useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { ask } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refreshForAll } from '../../state/live.ts'
import { useFormat } from '../../text/format.ts'
import styles from './profile.module.css'
import type { Team } from './team.ts'

/** What organisers awarded to the team or deducted. Requested only if the score is not the sum of the results. */
export function useAdjustments(id: string, team: Team, { bypass }: { readonly bypass: boolean }) {
  const query = useQuery({
    // The score is part of the key, so that a change of it is followed by a request.
    queryKey: [...(bypass ? [OWN_KEY] : []), 'adjustments', id, team.score],
    queryFn: ({ signal }) =>
      ask(listScoreAdjustments, { params: { id } }, { signal, asTeam: bypass, turn: 'later' }),
    enabled: differsFromResults(team),
    ...refreshForAll(5 * MINUTE_MS),
  })
  return query.data?.adjustments ?? []
}

function differsFromResults({ score, solves, dynamicScores }: Team): boolean {
  return [...solves, ...dynamicScores].reduce((sum, { points }) => sum + (points ?? 0), 0) !== score
}

type Adjustment = ReturnType<typeof useAdjustments>[number]

export function AdjustmentList({ adjustments }: { readonly adjustments: readonly Adjustment[] }) {
  const format = useFormat()
  return (
    <ul className={styles.list}>
      {adjustments.map(({ id, points, reason, at }) => (
        <li key={id}>
          <b>{format.signed(points)}</b>
          <bdi>{reason}</bdi>
          <time className={styles.muted} dateTime={new Date(at).toISOString()}>
            {format.dateTime(at)}
          </time>
        </li>
      ))}
    </ul>
  )
}
