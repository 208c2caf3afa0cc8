import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFailure } from '../../../api/use-failure.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { frameMessages } from '../../../text/en/frame.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CountryFlag } from '../../../ui/data/country-flag.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './records.module.css'

const marks = () => import('../../../account/tracks/track-mark.tsx')
const TrackMark = lazy(async () => ({ default: (await marks()).TrackMark }))
const AssistedMark = lazy(async () => ({ default: (await marks()).AssistedMark }))

interface RecordsProps {
  /** A paged query. */
  readonly query: RecordsWaitingProps['query'] & {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  /** Column headers. */
  readonly heads: readonly string[]
  readonly rows: readonly ReactNode[]
  /** The own row if it is not on this page; it is pinned. */
  readonly pinned: ReactNode
  readonly total: number
  /** Shown if there are no rows. */
  readonly empty: string
}

/** A paged list of teams for one challenge. */
export function Records({ query, heads, rows, pinned, total, empty }: RecordsProps) {
  const text = useMessages(challengesMessages)
  const frame = useMessages(frameMessages)
  const format = useFormat()
  if (!query.data) return <RecordsWaiting query={query} />
  if (rows.length === 0)
    return <EmptyState action={<Link to={paths.challenges()}>{frame.challenges}</Link>}>{empty}</EmptyState>
  return (
    <>
      <table className={styles.records}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
        {pinned && <tfoot className={styles.pinned}>{pinned}</tfoot>}
      </table>
      <p className="pn-row pn-gap-3 pn-fine pn-muted">
        <span>{text.shownOf(format.number(rows.length), format.number(Math.max(total, rows.length)))}</span>
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.loadMore}
          </Button>
        )}
      </p>
    </>
  )
}

interface RecordsWaitingProps {
  readonly query: Parameters<typeof useFailure>[0]
}

/** A skeleton while loading, or the error. */
export function RecordsWaiting({ query }: RecordsWaitingProps) {
  return (
    <LoadState failure={useFailure(query)}>
      <Skeleton rows={6} height="var(--pn-row)" />
    </LoadState>
  )
}

interface TeamCellProps {
  readonly team: {
    readonly userId: string
    readonly userName: string
    readonly userAvatarUrl: string | null
    readonly userCountryCode: string | null
    readonly track?: string | undefined
    readonly assisted?: true | undefined
  }
}

export function TeamCell({ team }: TeamCellProps) {
  return (
    <span className={styles.team}>
      <TeamName
        name={team.userName}
        teamId={team.userId}
        avatarUrl={team.userAvatarUrl}
        link={(name) => <Link to={paths.team(team.userId)}>{name}</Link>}
      />
      {team.track !== undefined && (
        <Suspense>
          <TrackMark track={team.track} />
          {team.assisted && <AssistedMark />}
        </Suspense>
      )}
      {team.userCountryCode !== null && <CountryFlag code={team.userCountryCode} />}
    </span>
  )
}
