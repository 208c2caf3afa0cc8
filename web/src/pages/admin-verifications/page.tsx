import { Link } from 'react-router'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { useQuery, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { BulkBar, useJob } from '../../organisers/bulk.tsx'
import { useColumnChoice } from '../../organisers/column-choice.tsx'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { useNow } from '../../state/clock.ts'
import { paths } from '../../paths.ts'
import { adminVerificationsMessages } from '../../text/en/admin-verifications.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { verificationsQuery, type Verification } from './queries.ts'
import styles from './verifications.module.css'
import { EmptyState } from '../../ui/states/messages.tsx'
import { completeVerification, resendVerification } from '@pennant/contract/admin-verifications.ts'
import { send } from '../../api/client.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { announce } from '../../ui/announcer.tsx'

export function Component() {
  const text = useMessages(adminVerificationsMessages)
  const query = useQuery(verificationsQuery)
  const rows = query.data?.verifications
  return (
    <OrganiserPage title={text.title}>
      <p className="pn-flat pn-muted">{text.about}</p>
      {rows ? <Registrations rows={rows} /> : <Waiting query={query} rows={6} />}
    </OrganiserPage>
  )
}

function Registrations({ rows }: { readonly rows: readonly Verification[] }) {
  const text = useMessages(adminVerificationsMessages)
  const frame = useMessages(frameMessages)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const actions = useVerificationActions()
  const chosen = rows.filter(({ id }) => selected.has(id))
  const [search, setSearch] = useState('')
  const { shown, chooser } = useColumnChoice('verifications', useColumns(actions))
  const wanted = search.trim().toLowerCase()
  const found = rows.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
  const load = async ({ offset, limit }: { offset: number; limit: number }) => ({
    rows: found.slice(offset, offset + limit).map(cellsOf),
    total: found.length,
  })
  return (
    <>
      <ListTools
        end={
          <>
            {chooser}
            <CsvButton name="verifications" head={HEAD} load={load} />
          </>
        }
      >
        <SearchInput label={text.search} maxLength={100} value={search} onChange={setSearch} />
      </ListTools>
      <FailureLine>{actions.failure}</FailureLine>
      <DataTable
        cards
        label={text.table}
        columns={shown}
        rows={found}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selected={selected}
        onSelect={setSelected}
        empty={
          rows.length > 0 ? (
            <EmptyState action={<Button onClick={() => setSearch('')}>{text.clearFilters}</Button>}>
              {text.noneFound}
            </EmptyState>
          ) : (
            <EmptyState action={<Link to={paths.adminTeams()}>{frame.organiser.teams}</Link>}>
              {text.none}
            </EmptyState>
          )
        }
      />
      <BulkBar count={chosen.length} onClear={() => setSelected(new Set())}>
        <Button onClick={() => actions.completeAll(chosen)}>{text.complete}</Button>
        <CopyButton text={() => chosen.map(({ email }) => email).join('\n')}>{text.copyEmails}</CopyButton>
      </BulkBar>
      {actions.dialog}
    </>
  )
}

const HEAD = ['team', 'email', 'division', 'registered', 'expires']

function cellsOf({ name, email, division, createdAt, expiresAt }: Verification): string[] {
  return [name, email, division, ...[createdAt, expiresAt].map((at) => new Date(at).toISOString())]
}

function useColumns({
  complete,
  resend,
  pendingIds,
}: ReturnType<typeof useVerificationActions>): Column<Verification>[] {
  const text = useMessages(adminVerificationsMessages)
  const format = useFormat()
  const config = useConfig()
  const now = useNow()
  return [
    { id: 'name', head: text.team, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'email',
      head: text.email,
      cell: ({ email }) => (
        <span className={styles.actions}>
          <span dir="ltr">{email}</span>
          <CopyButton tone="quiet" text={email} aria-label={text.copyOf(email)} />
        </span>
      ),
    },
    {
      id: 'division',
      head: text.division,
      cell: ({ division }) => <bdi>{divisionName(config?.divisions, division)}</bdi>,
    },
    { id: 'age', head: text.age, cell: ({ createdAt }) => format.relative(createdAt, now) },
    {
      id: 'expiry',
      head: text.expiry,
      cell: ({ expiresAt }) => (expiresAt <= now ? text.expired : format.relative(expiresAt, now)),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (row) => (
        <span className={styles.actions}>
          <Button busy={pendingIds.includes(row.id)} onClick={() => complete(row)}>
            {text.complete}
          </Button>
          {config?.emailEnabled && (
            <ResendButton isBusy={pendingIds.includes(row.id)} onResend={(onSent) => resend(row, onSent)} />
          )}
        </span>
      ),
    },
  ]
}

interface ResendButtonProps {
  readonly isBusy: boolean
  readonly onResend: (onSent: () => void) => void
}

function ResendButton({ isBusy, onResend }: ResendButtonProps) {
  const text = useMessages(adminVerificationsMessages)
  const sent = useSuccess(text.sent)
  return (
    <Button tone="quiet" busy={isBusy} success={sent} onClick={() => onResend(sent.show)}>
      {text.resend}
    </Button>
  )
}

const KEY = ['verification-action']

interface Action {
  readonly row: Verification
  /** Resolves with the failure, or null. */
  readonly outcome: Promise<string | null>
  readonly onDone: () => void
}

/** Actions on pending registrations, several at a time. The list is refetched after each one. */
function useVerificationActions() {
  const text = useMessages(adminVerificationsMessages)
  const failureMessage = useFailureMessage()
  const [failure, setFailure] = useState<string>()
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: verificationsQuery.queryKey })
  const job = useJob<Verification>(refetch)
  const action = useMutation({
    mutationKey: KEY,
    mutationFn: ({ outcome }: Action) => outcome,
    onMutate: () => setFailure(undefined),
    onSuccess: (reason, { row, onDone }) => {
      if (reason === null) onDone()
      else setFailure(text.failed(row.name, reason))
      refetch()
    },
  })
  const pendingIds = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => (state.variables as Action).row.id,
  })
  const completeOne = ({ id }: Verification) => failureMessage(send(completeVerification, { params: { id } }))
  const resendOne = ({ id }: Verification) => failureMessage(send(resendVerification, { params: { id } }))
  return {
    pendingIds,
    /** Of the last action. */
    failure,
    dialog: job.dialog,
    complete: (row: Verification) =>
      action.mutate({ row, outcome: completeOne(row), onDone: () => announce(text.completed(row.name)) }),
    resend: (row: Verification, onDone: () => void) =>
      action.mutate({ row, outcome: resendOne(row), onDone }),
    completeAll: (items: readonly Verification[]) =>
      job.start({ title: text.completing, items, run: completeOne }),
  }
}
