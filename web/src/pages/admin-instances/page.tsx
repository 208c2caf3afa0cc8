import { listAdminInstances, stopAdminInstance } from '@pennant/contract/admin-instances.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { PersonName } from '../../account/activity.tsx'
import { requestData, isGood, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { LIST_PAGE, useListAddress } from '../../organisers/use-list-address.ts'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { adminInstancesMessages } from '../../text/en/admin-instances.ts'
import { NO_RESPONSE } from '../../text/error-text.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './instances.module.css'

const EVERY_MS = 10_000
const queryKey = [OWN_KEY, 'instances']

type Listed = Awaited<ReturnType<typeof requestData<typeof listAdminInstances>>>
type Instance = Listed['instances'][number]

export function Component() {
  const text = useMessages(adminInstancesMessages)
  const { page, setPage } = useListAddress({ sorts: [], direction: 'ascending', fields: [] })
  const hasNone = useConfig()?.instancerEnabled === false
  const query = useQuery({
    enabled: !hasNone,
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => {
      const wanted = { limit: String(LIST_PAGE), offset: String(page * LIST_PAGE) }
      return requestData(listAdminInstances, { query: wanted }, { signal })
    },
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
  const toChallenges = useToChallenges()
  // A deployment without an instancer is not an error.
  return (
    <OrganiserPage title={text.title}>
      {query.data && <Instances listed={query.data} />}
      {!query.data && hasNone && <EmptyState action={toChallenges}>{text.noInstancer}</EmptyState>}
      {!query.data && !hasNone && <Waiting query={query} rows={6} />}
      {query.data && <Pager page={page} total={query.data.total} onPage={setPage} />}
    </OrganiserPage>
  )
}

function Instances({ listed: { hosts, instances, total } }: { readonly listed: Listed }) {
  const text = useMessages(adminInstancesMessages)
  const { number } = useFormat()
  const { problem, columns } = useColumns()
  const toChallenges = useToChallenges()
  return (
    <>
      {hosts.length > 0 && (
        <ul className="pn-list pn-gap-1 pn-grid">
          {hosts.map(({ instancer, host, used, max, isUp, avoidedPorts }) => (
            <li key={`${instancer} ${host}`}>
              {isUp ? text.host(host, number(used), number(max)) : <Bad>{text.hostDown(host)}</Bad>}
              {avoidedPorts && <Bad>{text.avoidedPorts(avoidedPorts.join(', '))}</Bad>}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
      <DataTable
        cards
        label={text.table}
        columns={columns}
        rows={instances}
        total={total}
        rowId={idOf}
        empty={<EmptyState action={toChallenges}>{text.none}</EmptyState>}
      />
    </>
  )
}

function useToChallenges() {
  const { organiser } = useMessages(frameMessages)
  return <Link to={paths.adminChallenges()}>{organiser.challenges}</Link>
}

function Bad({ children }: { readonly children: string }) {
  return (
    <span className={styles.bad}>
      <Icon name="alert" />
      {children}
    </span>
  )
}

function idOf({ instancer, userId, challengeIntegrationId }: Instance): string {
  return `${instancer} ${challengeIntegrationId} ${userId}`
}

/** Whose instance of which challenge it is, and who of the team started it. */
function useOwnerColumns(): Column<Instance>[] {
  const text = useMessages(adminInstancesMessages)
  const { activity } = useMessages(peopleMessages)
  const hasPeople = useConfig()?.people !== undefined
  return [
    {
      id: 'challenge',
      head: text.challenge,
      cell: ({ challengeId, challengeName, challengeIntegrationId }) => {
        const name = <bdi>{challengeName ?? challengeIntegrationId}</bdi>
        return challengeId === null ? name : <Link to={paths.adminChallenge(challengeId)}>{name}</Link>
      },
    },
    {
      id: 'team',
      head: text.team,
      cell: ({ userName, userId }) => (
        <Link to={paths.adminTeam(userId)}>
          <bdi>{userName ?? userId}</bdi>
        </Link>
      ),
    },
    ...(hasPeople
      ? [
          {
            id: 'person',
            head: activity.startedBy,
            cell: ({ person }: Instance) => <PersonName person={person} />,
          },
        ]
      : []),
  ]
}

function useColumns(): { readonly columns: Column<Instance>[]; readonly problem: string | null } {
  const text = useMessages(adminInstancesMessages)
  const errorText = useErrorText('change')
  const { number } = useFormat()
  const queries = useQueryClient()
  const { team } = useOwnTeam()
  const [problem, setProblem] = useState<string | null>(null)
  const mayStop = team !== undefined && hasPermissions(team.perms, ['challsWrite'])
  const [stopping, setStopping] = useState<ReadonlySet<string>>(new Set())
  const stop = async (id: string, params: { challengeId: string; userId: string }) => {
    setStopping((now) => new Set([...now, id]))
    const answer = await send(stopAdminInstance, { params }).catch(() => NO_RESPONSE)
    setProblem(isGood(answer) ? null : errorText(answer))
    await queries.invalidateQueries({ queryKey })
    setStopping((now) => new Set([...now].filter((other) => other !== id)))
  }
  const columns: Column<Instance>[] = [
    ...useOwnerColumns(),
    {
      id: 'status',
      head: text.status,
      cell: ({ status, restarts }) => {
        if (status === 'errored')
          return <Bad>{restarts === undefined ? text.states.errored : text.crashing(number(restarts))}</Bad>
        return status === null ? text.unknown : text.states[status]
      },
    },
    {
      id: 'left',
      head: text.timeLeft,
      cell: ({ timeLeftMilliseconds: left }) => (left === null ? '' : <TimeLeft leftMs={left} />),
    },
    { id: 'where', head: text.machine, cell: ({ instancer, host }) => host ?? instancer },
  ]
  if (!mayStop) return { columns, problem }
  const actions: Column<Instance> = {
    id: 'actions',
    head: text.actions,
    stays: true,
    cell: (row) => {
      const { challengeId, userId } = row
      if (challengeId === null) return null
      const id = idOf(row)
      return (
        <ConfirmButton busy={stopping.has(id)} onConfirm={() => void stop(id, { challengeId, userId })}>
          {text.stop}
        </ConfirmButton>
      )
    },
  }
  return { columns: [...columns, actions], problem }
}
