import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useParams, Link } from 'react-router'
import { useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminMessagesMessages } from '../../text/en/admin-messages.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import { OptionsSection } from './options.tsx'
import { Thread } from './thread.tsx'
import { useQuery } from '@tanstack/react-query'
import { challengesQuery } from '../../api/queries.ts'
import { statusOf } from '../../layout/message-list/status-of.ts'
import { Pager } from '../../organisers/pager.tsx'
import { useListAddress } from '../../organisers/use-list-address.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './admin-messages.module.css'
import { filters, queueQuery, type AdminThread } from './queries.ts'

/** The questions of teams: the queue, or one thread. */
export function Component() {
  const { id } = useParams()
  const text = useMessages(adminMessagesMessages)
  const perms = useOwnTeam().team?.perms ?? 0
  if (id !== undefined) return <Thread key={id} id={id} />
  return (
    <OrganiserPage title={text.title}>
      <Queue />
      {hasPermissions(perms, ['usersWrite']) && <OptionsSection />}
    </OrganiserPage>
  )
}

const NO_FIELDS: readonly string[] = []

/** Threads of a filter; those that wait longest come first. */
function Queue() {
  const text = useMessages(adminMessagesMessages)
  const frame = useMessages(frameMessages)
  const format = useFormat()
  const address = useListAddress({ sorts: NO_FIELDS, direction: 'ascending', fields: NO_FIELDS })
  const filter = filters.find((each) => each === address.param('show')) ?? 'open'
  const challengeId = address.param('challenge')
  const challenges = useQuery(challengesQuery({ bypass: true })).data ?? []
  const query = useQuery(queueQuery({ filter, challengeId, page: address.page }))
  const columns = useColumns()
  const { counts, threads, total } = query.data ?? {}
  return (
    <>
      {counts && (
        <p role="status" className="pn-flat pn-muted">
          {text.counts(
            format.number(counts.open),
            format.number(counts.unassigned),
            format.number(counts.mine),
          )}
        </p>
      )}
      <div className={styles.row}>
        <Select
          label={text.show}
          value={filter}
          onChange={(show) => address.change({ show: show === 'open' ? '' : show })}
          choices={filters.map((value) => ({ value, label: text.filters[value] }))}
        />
        <Select
          label={text.challenge}
          value={challengeId}
          onChange={(challenge) => address.change({ challenge })}
          placeholder={text.anyChallenge}
          choices={challenges.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      {threads ? (
        <DataTable
          cards
          label={text.title}
          columns={columns}
          rows={threads}
          rowId={({ id }) => id}
          empty={
            <EmptyState action={<Link to={paths.adminChallenges()}>{frame.organiser.challenges}</Link>}>
              {text.none}
            </EmptyState>
          }
        />
      ) : (
        <Waiting query={query} rows={4} />
      )}
      <Pager page={address.page} total={total ?? 0} onPage={address.setPage} />
    </>
  )
}

function useColumns(): Column<AdminThread>[] {
  const text = useMessages(adminMessagesMessages)
  const format = useFormat()
  return [
    {
      id: 'subject',
      head: text.subject,
      cell: ({ id, subject }) => (
        <Link to={paths.adminMessage(id)} className="pn-words">
          <bdi>{subject}</bdi>
        </Link>
      ),
    },
    { id: 'team', head: text.team, cell: ({ team }) => <bdi>{team.name}</bdi> },
    {
      id: 'challenge',
      head: text.challenge,
      cell: ({ challengeId, challengeName }) =>
        challengeId === null ? text.general : <bdi>{challengeName ?? challengeId}</bdi>,
    },
    {
      id: 'assignee',
      head: text.assignee,
      cell: ({ assignee }) => (assignee ? <bdi>{assignee.name}</bdi> : text.nobody),
    },
    { id: 'status', head: text.status, cell: (row) => text.statuses[statusOf(row)] },
    {
      id: 'latest',
      head: text.latest,
      cell: ({ lastMessageAt }) => (
        <time dateTime={new Date(lastMessageAt).toISOString()}>{format.dateTime(lastMessageAt)}</time>
      ),
    },
  ]
}
