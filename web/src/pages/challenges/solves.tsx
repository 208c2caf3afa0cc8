import { useInfiniteQuery } from '@tanstack/react-query'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { Link } from 'react-router'
import { ask } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { ownKey, pageSize } from '../../api/queries.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { clockText } from '../../ui/data/durations.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './challenges.module.css'
import { words } from './words.ts'

const EVERY_MS = 15_000
const BLOODS = ['blood1', 'blood2', 'blood3'] as const

/** Who solved a challenge, oldest first, 25 at a time. */
export function Solves({ id }: { readonly id: string }) {
  const text = useText(words)
  const errorText = useErrorText()
  const query = useInfiniteQuery({
    queryKey: [ownKey, 'solves', id, 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const page = { limit: String(pageSize), offset: String(pageParam) }
      return ask(listSolvesV2, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.solves.length < pageSize ? undefined : pages.length * pageSize),
    ...refresh(EVERY_MS),
  })
  if (query.error instanceof RequestFailure && !query.data)
    return <ErrorState onRetry={() => void query.refetch()}>{errorText(query.error)}</ErrorState>
  if (!query.data) return <Skeleton rows={6} height="var(--pn-row)" />
  const solves = query.data.pages.flatMap((page) => page.solves)
  const position = query.data.pages[0]?.mySolvePosition
  if (solves.length === 0) return <EmptyState>{text.noSolves}</EmptyState>
  return (
    <>
      {typeof position === 'number' && <p>{text.yourPosition(text.ordinal(position))}</p>}
      <SolveTable solves={solves} />
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {text.loadMore}
        </Button>
      )}
    </>
  )
}

interface Solve {
  readonly id: string
  readonly createdAt: number
  readonly userId: string
  readonly userName: string
  readonly userAvatarUrl: string | null
  readonly userCountryCode: string | null
  readonly bloodIndex: number | null
}

function SolveTable({ solves }: { readonly solves: readonly Solve[] }) {
  const text = useText(words)
  const format = useFormat()
  const start = useConfig()?.startTime ?? 0
  const own = useOwnTeam().team?.id
  return (
    <table className={styles.solves}>
      <thead>
        <tr>
          <th scope="col">{text.place}</th>
          <th scope="col">{text.team}</th>
          <th scope="col">{text.when}</th>
        </tr>
      </thead>
      <tbody>
        {solves.map((solve, at) => {
          const blood = solve.bloodIndex === null ? undefined : BLOODS[solve.bloodIndex]
          return (
            <tr key={solve.id} className={cx(solve.userId === own && styles.ownRow)}>
              <td>{blood ? <Pennant sign={blood} /> : at + 1}</td>
              <td>
                <TeamName
                  name={solve.userName}
                  avatarUrl={solve.userAvatarUrl}
                  link={(name) => <Link to={paths.team(solve.userId)}>{name}</Link>}
                />{' '}
                {solve.userCountryCode !== null && <CountryFlag code={solve.userCountryCode} />}
              </td>
              <td title={format.dateTime(solve.createdAt)}>
                {text.afterStart(clockText(Math.max(0, solve.createdAt - start)))}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
