import { deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { FailureLine } from '../../../account/failure-line.tsx'
import { requestData, send } from '../../../api/client.ts'
import { OWN_KEY, PAGE_SIZE } from '../../../api/queries.ts'
import { useMay } from '../../../api/use-contest.ts'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { refresh } from '../../../state/live.ts'
import { useTimed } from '../../../state/clock.ts'
import { paths } from '../../../paths.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { frameMessages } from '../../../text/en/frame.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../../ui/data/data-table.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import styles from '../challenges.module.css'
import type { CountedChallenge } from '../draft.ts'
import { challengesKey } from '../queries.ts'
import { stateOf } from '../state-of.ts'
import { EmptyState } from '../../../ui/states/messages.tsx'

interface SolvesPartProps {
  readonly challenge: CountedChallenge
}

/** The teams that solved the challenge. With the right permission, a solve can be revoked. */
export function SolvesPart({ challenge }: SolvesPartProps) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const isVisible = useTimed((now) => stateOf(challenge, now) === 'visible')
  return (
    <>
      <p>
        {text.solvesOf(challenge.solveCount, format.number(challenge.solveCount))}{' '}
        {!isVisible && text.solvesHidden}
      </p>
      {isVisible && challenge.solveCount > 0 && <Solves id={challenge.id} />}
    </>
  )
}

type Solve = Awaited<ReturnType<typeof requestData<typeof listSolvesV2>>>['solves'][number]

function Solves({ id }: { readonly id: string }) {
  const text = useMessages(adminChallengesMessages)
  const frame = useMessages(frameMessages)
  const query = useInfiniteQuery({
    queryKey: [OWN_KEY, 'challenge-solves', id],
    queryFn: ({ signal, pageParam }) => {
      const page = { limit: String(PAGE_SIZE), offset: String(pageParam) }
      return requestData(listSolvesV2, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.solves.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
    ...refresh(null),
  })
  const removal = useRemoval(id)
  const columns = useColumns(removal.confirm)
  if (!query.data) return <Waiting query={query} rows={4} />
  const rows = query.data.pages.flatMap(({ solves }) => solves)
  return (
    <>
      <DataTable
        label={text.tab.solves}
        columns={columns}
        rows={rows}
        rowId={({ userId }) => userId}
        empty={
          <EmptyState action={<Link to={paths.submissionsOf(id)}>{frame.organiser.submissions}</Link>}>
            {text.noSolves}
          </EmptyState>
        }
      />
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {text.loadMore}
        </Button>
      )}
      {removal.dialog}
    </>
  )
}

function useColumns(onRemove: (solve: Solve) => void): Column<Solve>[] {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const mayRemove = useMay('challsSolveWrite')
  return [
    {
      id: 'team',
      head: text.team,
      cell: ({ userId, userName, userAvatarUrl }) => (
        <span className={styles.solver}>
          <TeamName name={userName} teamId={userId} avatarUrl={userAvatarUrl} />
        </span>
      ),
    },
    {
      id: 'time',
      head: text.time,
      cell: ({ createdAt }) => <span className={styles.time}>{format.dateTime(createdAt)}</span>,
    },
    ...(mayRemove
      ? [
          {
            id: 'remove',
            head: text.deleteSolve,
            cell: (solve: Solve) => (
              <IconButton
                icon="trash"
                tone="danger"
                label={text.deleteSolve}
                onClick={() => onRemove(solve)}
              />
            ),
          },
        ]
      : []),
  ]
}

function useRemoval(id: string) {
  const text = useMessages(adminChallengesMessages)
  const failureMessage = useFailureMessage()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Solve | null>(null)
  const removal = useMutation({
    mutationFn: ({ userId }: Solve) =>
      failureMessage(send(deleteSolve, { params: { challengeId: id, userId } })),
    onSuccess: async (failure, { userName }) => {
      if (failure === null) {
        announce(text.solveDeleted(userName))
        setAsked(null)
      }
      await client.invalidateQueries({ queryKey: [OWN_KEY, 'challenge-solves', id] })
      await client.invalidateQueries({ queryKey: challengesKey })
    },
  })
  const dialog = asked && (
    <Confirm
      open
      onClose={() => setAsked(null)}
      onConfirm={() => removal.mutate(asked)}
      title={text.deleteSolveTitle(asked.userName)}
      action={text.deleteSolve}
      busy={removal.isPending}
      word={asked.userName}
    >
      <p>{text.deleteSolveAbout}</p>
      <FailureLine>{removal.data ?? undefined}</FailureLine>
    </Confirm>
  )
  return { confirm: setAsked, dialog }
}
