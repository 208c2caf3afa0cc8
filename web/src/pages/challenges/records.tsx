import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RequestFailure } from '../../api/failure.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { TeamName } from '../../ui/data/team-name.tsx'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { words } from '../../challenge/words.ts'
import styles from './records.module.css'

interface RecordsProps {
  /** Gives a page at a time. */
  readonly query: RecordsWaitingProps['query'] & {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  /** Of the columns. */
  readonly heads: readonly string[]
  readonly rows: readonly ReactNode[]
  /** The own row, when it is not among the others: it stays in sight. */
  readonly pinned: ReactNode
  readonly total: number
  /** Said when there is nobody. */
  readonly empty: string
}

/** Teams of one challenge, a page at a time. */
export function Records({ query, heads, rows, pinned, total, empty }: RecordsProps) {
  const text = useText(words)
  const format = useFormat()
  if (!query.data) return <RecordsWaiting query={query} />
  if (rows.length === 0) return <EmptyState>{empty}</EmptyState>
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
      <p className={styles.more}>
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
  readonly query: Parameters<typeof useTrouble>[0]
}

/** While there is nothing to show: a skeleton, or what went wrong. */
export function RecordsWaiting({ query }: RecordsWaitingProps) {
  const errorText = useErrorText()
  const { failure, retry } = useTrouble(query)
  if (failure instanceof RequestFailure) return <ErrorState onRetry={retry}>{errorText(failure)}</ErrorState>
  return <Skeleton rows={6} height="var(--pn-row)" />
}

interface TeamCellProps {
  readonly team: {
    readonly userId: string
    readonly userName: string
    readonly userAvatarUrl: string | null
    readonly userCountryCode: string | null
  }
}

export function TeamCell({ team }: TeamCellProps) {
  return (
    <span className={styles.team}>
      <TeamName
        name={team.userName}
        avatarUrl={team.userAvatarUrl}
        link={(name) => <Link to={paths.team(team.userId)}>{name}</Link>}
      />
      {team.userCountryCode !== null && <CountryFlag code={team.userCountryCode} />}
    </span>
  )
}
