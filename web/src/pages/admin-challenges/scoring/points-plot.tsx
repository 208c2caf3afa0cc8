import { previewScores } from '@pennant/contract/overview.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue } from 'react'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from '../challenges.module.css'

const DecayPlot = lazy(async () => ({ default: (await import('../../../ui/plots/plots.tsx')).DecayPlot }))

const LISTED = [1, 5, 10, 20, 50, 100]

interface PointsPlotProps {
  readonly min: number
  readonly max: number
  /** Current number of solves. */
  readonly solves: number
}

/** Plots points against solves, using the deployment's formula. */
export function PointsPlot({ min, max, solves }: PointsPlotProps) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const wanted = useDeferredValue(`${min} ${max}`)
  const isSound = Number.isInteger(min) && Number.isInteger(max) && min <= max
  const [least = '', most = ''] = wanted.split(' ')
  const { data, error } = useQuery({
    queryKey: [OWN_KEY, 'scores-preview', wanted],
    queryFn: ({ signal }) => requestData(previewScores, { query: { min: least, max: most } }, { signal }),
    enabled: isSound && wanted === `${min} ${max}`,
    placeholderData: keepPreviousData,
    ...refresh(null),
  })
  if (!isSound) return null
  if (error) return <p>{text.plotMissing(format.number(min), format.number(max))}</p>
  if (!data) return <Skeleton height="180px" />
  const worth = new Map(data.values)
  const now = worth.get(solves)
  return (
    <div className={styles.form}>
      <Suspense fallback={<Skeleton height="180px" />}>
        <DecayPlot
          label={text.plot}
          values={data.values}
          columns={[text.solves, text.points]}
          note={
            now === undefined ? undefined : text.plotNow(solves, format.number(solves), format.number(now))
          }
        />
      </Suspense>
      <table className={styles.worth}>
        <tbody>
          <tr>
            <th scope="row">{text.solves}</th>
            {LISTED.map((count) => (
              <td key={count}>{format.number(count)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{text.points}</th>
            {LISTED.map((count) => (
              <td key={count}>{format.number(worth.get(count) ?? 0)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}
