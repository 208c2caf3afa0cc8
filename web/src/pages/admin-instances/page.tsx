import { listAdminInstances, stopAdminInstance } from '@pennant/contract/admin-instances.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, isGood, send } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { refresh } from '../../state/live.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { words } from './words.ts'

const EVERY_MS = 10_000
/** The most that the API gives at once. */
const SHOWN = 100
const queryKey = [ownKey, 'instances']

type Listed = Awaited<ReturnType<typeof ask<typeof listAdminInstances>>>
type Instance = Listed['instances'][number]

export function Component() {
  const text = useText(words)
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      ask(listAdminInstances, { query: { limit: String(SHOWN), offset: '0' } }, { signal }),
    ...refresh(EVERY_MS),
  })
  return (
    <OrganiserPage title={text.title}>
      {query.data ? <Instances listed={query.data} /> : <Waiting query={query} rows={6} />}
    </OrganiserPage>
  )
}

function Instances({ listed: { hosts, instances, total } }: { readonly listed: Listed }) {
  const text = useText(words)
  const { number } = useFormat()
  const { problem, columns } = useColumns()
  return (
    <>
      {hosts.map(({ instancer, host, used, max, isUp }) => (
        <p key={`${instancer} ${host}`}>
          {isUp ? text.host(host, number(used), number(max)) : text.hostDown(host)}
        </p>
      ))}
      {problem !== null && <p role="alert">{problem}</p>}
      <DataTable
        label={text.table}
        columns={columns}
        rows={instances}
        rowId={({ instancer, userId, challengeIntegrationId }) =>
          `${instancer} ${challengeIntegrationId} ${userId}`
        }
        empty={text.none}
      />
      {total > instances.length && <p>{text.more(number(instances.length), number(total))}</p>}
    </>
  )
}

function useColumns(): { readonly columns: Column<Instance>[]; readonly problem: string | null } {
  const text = useText(words)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const { team } = useOwnTeam()
  const [problem, setProblem] = useState<string | null>(null)
  const mayStop = team !== undefined && hasPermissions(team.perms, ['challsWrite'])
  const stop = async (challengeId: string, userId: string) => {
    const answer = await send(stopAdminInstance, { params: { challengeId, userId } }).catch(() => ({
      kind: 'network',
      message: '',
    }))
    setProblem(isGood(answer) ? null : errorText(answer))
    await queries.invalidateQueries({ queryKey })
  }
  const columns: Column<Instance>[] = [
    {
      id: 'challenge',
      head: text.challenge,
      cell: ({ challengeName, challengeIntegrationId }) => (
        <bdi>{challengeName ?? challengeIntegrationId}</bdi>
      ),
    },
    { id: 'team', head: text.team, cell: ({ userName, userId }) => <bdi>{userName ?? userId}</bdi> },
    {
      id: 'status',
      head: text.status,
      cell: ({ status }) => (status === null ? text.unknown : text.states[status]),
    },
    {
      id: 'left',
      head: text.timeLeft,
      cell: ({ timeLeftMilliseconds: left }) => (left === null ? '' : <TimeLeft leftMs={left} />),
    },
    { id: 'where', head: text.where, cell: ({ instancer, host }) => host ?? instancer },
  ]
  if (!mayStop) return { columns, problem }
  const actions: Column<Instance> = {
    id: 'actions',
    head: text.actions,
    cell: ({ challengeId, userId }) =>
      challengeId === null ? null : (
        <ConfirmButton onConfirm={() => void stop(challengeId, userId)}>{text.stop}</ConfirmButton>
      ),
  }
  return { columns: [...columns, actions], problem }
}
