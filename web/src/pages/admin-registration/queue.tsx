import {
  approveRegistrations,
  refuseRegistrations,
  registrationLimits,
} from '@pennant/contract/registration.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { BulkBar } from '../../organisers/bulk.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { adminRegistrationMessages } from '../../text/en/admin-registration.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Select, Textarea } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { registrationsKey, registrationsQuery, type Registration, type RequestState } from './queries.ts'

const STATES = ['waiting', 'approved', 'refused'] as const

/** Registrations that wait for organisers or for a place, and those decided in the last month. */
export function Queue() {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const [state, setState] = useState<RequestState>('waiting')
  const [page, setPage] = useState(0)
  const query = useQuery(registrationsQuery(state, page))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const rows = query.data?.registrations ?? []
  const chosen = rows.filter(({ id }) => selected.has(id))
  const decide = useDecisions(chosen, () => setSelected(new Set()))
  const columns = useColumns(state)
  const show = (next: string) => {
    setState(next as RequestState)
    setPage(0)
    setSelected(new Set())
  }
  return (
    <div className="pn-stack pn-gap-4">
      <ListTools end={query.data && <span>{text.teams(format.number(query.data.teams))}</span>}>
        <Select
          label={text.show}
          value={state}
          onChange={show}
          choices={STATES.map((value) => ({ value, label: text.states[value] }))}
        />
      </ListTools>
      <FailureLine>{decide.failure}</FailureLine>
      {!query.data && <Waiting query={query} rows={6} />}
      {query.data && (
        <DataTable
          cards
          label={text.queue}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          {...(state === 'waiting' && { selected, onSelect: setSelected })}
          empty={<EmptyState isPart>{state === 'waiting' ? text.noneWaiting : text.noneDecided}</EmptyState>}
        />
      )}
      {query.data && <Pager page={page} total={query.data.total} onPage={setPage} />}
      <BulkBar count={chosen.length} onClear={() => setSelected(new Set())}>
        <Button tone="primary" busy={decide.isPending} onClick={() => void decide.approve()}>
          {text.approve}
        </Button>
        <Button onClick={decide.askRefusal}>{text.refuse}</Button>
      </BulkBar>
      {decide.dialog}
    </div>
  )
}

function useColumns(state: RequestState): Column<Registration>[] {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const config = useConfig()
  return [
    { id: 'name', head: text.team, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'email', head: text.email, cell: ({ email }) => <span dir="ltr">{email}</span> },
    {
      id: 'division',
      head: text.division,
      cell: ({ division }) => <bdi>{divisionName(config?.divisions, division)}</bdi>,
    },
    { id: 'waitsFor', head: text.waitsFor, cell: ({ waitsFor }) => text.waits[waitsFor] },
    { id: 'createdAt', head: text.registered, cell: ({ createdAt }) => format.dateTime(createdAt) },
    ...(state === 'waiting'
      ? []
      : [
          {
            id: 'decidedAt',
            head: text.decided,
            cell: ({ decidedAt }: Registration) => decidedAt !== null && format.dateTime(decidedAt),
          },
        ]),
    ...(state === 'refused'
      ? [{ id: 'reason', head: text.reason, cell: ({ reason }: Registration) => <bdi>{reason}</bdi> }]
      : []),
  ]
}

/** Decides about the selected registrations; those with problems go on waiting. */
function useDecisions(chosen: readonly Registration[], onDecided: () => void) {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const queries = useQueryClient()
  const action = useAction()
  const [problem, setProblem] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const ids = chosen.map(({ id }) => id)
  const finish = (data: DecisionData, done: (count: string) => string) => {
    const named = data.problems.map(({ id, problem: why }) =>
      text.problem(chosen.find((one) => one.id === id)?.name ?? id, text.problems[why]),
    )
    setProblem(named.length === 0 ? undefined : named.join('; '))
    announce(done(format.number(data.decided.length)))
    void queries.invalidateQueries({ queryKey: registrationsKey })
    setAsking(false)
    onDecided()
  }
  const approve = async () => {
    setProblem(undefined)
    const response = await action.run(() => send(approveRegistrations, { body: { data: { ids } } }))
    if (response) finish(response.data, text.approvedCount)
  }
  const refuse = async (reason: string) => {
    setProblem(undefined)
    const response = await action.run(() => send(refuseRegistrations, { body: { data: { ids, reason } } }))
    if (response) finish(response.data, text.refusedCount)
  }
  return {
    approve,
    askRefusal: () => setAsking(true),
    isPending: action.isPending,
    failure: problem ?? action.failure,
    dialog: isAsking && (
      <RefusalDialog
        names={chosen.map(({ name }) => name)}
        isBusy={action.isPending}
        onClose={() => setAsking(false)}
        onRefuse={refuse}
      />
    ),
  }
}

interface DecisionData {
  readonly decided: readonly string[]
  readonly problems: readonly {
    readonly id: string
    readonly problem: 'name' | 'email' | 'extrankId' | 'decided'
  }[]
}

interface RefusalProps {
  readonly names: readonly string[]
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onRefuse: (reason: string) => Promise<void>
}

function RefusalDialog({ names, isBusy, onClose, onRefuse }: RefusalProps) {
  const text = useMessages(adminRegistrationMessages)
  const format = useFormat()
  const [reason, setReason] = useState('')
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.refuseTitle}
      actions={
        <Button tone="danger" busy={isBusy} onClick={() => void onRefuse(reason)}>
          {text.refuse}
        </Button>
      }
    >
      <div className="pn-stack pn-gap-3">
        <p>
          <bdi>{format.list(names)}</bdi>
        </p>
        <Textarea
          label={text.reason}
          help={text.refuseHelp}
          rows={3}
          counted
          maxLength={registrationLimits.reason}
          value={reason}
          onChange={setReason}
        />
      </div>
    </Dialog>
  )
}
