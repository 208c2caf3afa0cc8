import { deleteExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { useFailureMessage } from '../../layout/organiser-list/use-failure-message.ts'
import { paths } from '../../paths.ts'
import { adminClientsMessages } from '../../text/en/admin-clients.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useToasts } from '../../ui/layers/toasts.tsx'
import styles from './clients.module.css'
import { clientsQuery, type Client } from './queries.ts'
import { SampleSteps } from './sample-steps.tsx'

/** The registered clients, oldest first. */
export function ClientTable({ clients }: { readonly clients: readonly Client[] }) {
  const text = useMessages(adminClientsMessages)
  const [shown, setShown] = useState<Client | null>(null)
  const [going, setGoing] = useState<Client | null>(null)
  const columns = useColumns({ onSample: setShown, onDelete: setGoing })
  return (
    <>
      <DataTable
        cards
        label={text.table}
        columns={columns}
        rows={clients}
        rowId={({ id }) => id}
        empty={text.none}
      />
      {shown && (
        <Dialog open size="medium" onClose={() => setShown(null)} title={text.sampleOf(shown.name)}>
          <SampleSteps client={shown} />
        </Dialog>
      )}
      {going && <Deletion client={going} onClose={() => setGoing(null)} />}
    </>
  )
}

interface ColumnOptions {
  readonly onSample: (client: Client) => void
  readonly onDelete: (client: Client) => void
}

function useColumns({ onSample, onDelete }: ColumnOptions): Column<Client>[] {
  const text = useMessages(adminClientsMessages)
  const format = useFormat()
  return [
    { id: 'name', head: text.name, cell: ({ name }) => <bdi className={styles.wrap}>{name}</bdi> },
    {
      id: 'redirectUri',
      head: text.redirectUri,
      cell: ({ redirectUri }) => (
        <code dir="ltr" className={styles.wrap}>
          {redirectUri}
        </code>
      ),
    },
    {
      id: 'id',
      head: text.id,
      cell: ({ id, name }) => (
        <CopyButton text={id} aria-label={`${id.slice(0, 8)}… ${text.copyOf(name)}`} tone="quiet" title={id}>
          <code dir="ltr" className={styles.short}>
            {id.slice(0, 8)}…
          </code>
        </CopyButton>
      ),
    },
    {
      id: 'createdAt',
      head: text.created,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} className={styles.short}>
          {format.dateTime(parseTimestamp(createdAt))}
        </time>
      ),
    },
    {
      id: 'createdBy',
      head: text.createdBy,
      cell: ({ createdBy }) =>
        createdBy === null ? (
          text.deletedTeam
        ) : (
          <Link to={paths.adminTeam(createdBy)} className={styles.short}>
            {createdBy.slice(0, 8)}…
          </Link>
        ),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (client) => (
        <div className={styles.line}>
          <Button aria-label={text.showSampleOf(client.name)} onClick={() => onSample(client)}>
            {text.showSample}
          </Button>
          <Button
            tone="danger"
            icon="trash"
            aria-label={text.deleteOf(client.name)}
            onClick={() => onDelete(client)}
          >
            {text.delete}
          </Button>
        </div>
      ),
    },
  ]
}

interface DeletionProps {
  readonly client: Client
  readonly onClose: () => void
}

function Deletion({ client, onClose }: DeletionProps) {
  const text = useMessages(adminClientsMessages)
  const failureMessage = useFailureMessage()
  const toasts = useToasts()
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => failureMessage(send(deleteExternalAuthClient, { params: { id: client.id } })),
    onSuccess: async (failure) => {
      await queries.invalidateQueries({ queryKey: clientsQuery.queryKey })
      if (failure !== null) return
      toasts.show(text.deleted(client.name), 'ok')
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      onConfirm={() => deletion.mutate()}
      title={text.deleteTitle(client.name)}
      action={text.delete}
      busy={deletion.isPending}
      word={client.name}
    >
      <p>{text.deleteAbout}</p>
      <FailureLine>{deletion.data ?? undefined}</FailureLine>
    </Confirm>
  )
}
