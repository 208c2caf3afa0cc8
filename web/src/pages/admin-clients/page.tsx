import { useQuery } from '@tanstack/react-query'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminClientsMessages } from '../../text/en/admin-clients.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import styles from './clients.module.css'
import { NewClient } from './new-client.tsx'
import { clientsQuery, type Client } from './queries.ts'
import { deleteExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { send } from '../../api/client.ts'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { ToForm } from '../../organisers/empty-list.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { SampleSteps } from './sample-steps.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'

/** The sites that can sign teams in. */
export function Component() {
  const text = useMessages(adminClientsMessages)
  const query = useQuery(clientsQuery)
  return (
    <OrganiserPage title={text.title}>
      <p className="pn-prose pn-flat">{text.about}</p>
      <p className="pn-prose pn-flat">
        {/* A page of its own, not of this application. */}
        <a href="/api-docs/">{text.api}</a>
      </p>
      {query.data ? <ClientTable clients={query.data} /> : <Waiting query={query} rows={4} />}
      <div className={styles.narrow}>
        <NewClient />
      </div>
    </OrganiserPage>
  )
}

/** The registered clients, oldest first. */
function ClientTable({ clients }: { readonly clients: readonly Client[] }) {
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
        empty={<EmptyState action={<ToForm>{text.new}</ToForm>}>{text.none}</EmptyState>}
      />
      {shown && (
        <Dialog open size="medium" onClose={() => setShown(null)} title={text.sampleOf(shown.name)}>
          <SampleSteps client={shown} />
        </Dialog>
      )}
      {going && <DeleteClient client={going} onClose={() => setGoing(null)} />}
    </>
  )
}

function DeleteClient({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const text = useMessages(adminClientsMessages)
  const [endsTokens, setEndsTokens] = useState(false)
  const query = { tokens: endsTokens ? ('end' as const) : ('keep' as const) }
  return (
    <DeleteDialog
      title={text.deleteTitle(client.name)}
      about={text.deleteAbout}
      deleted={text.deletedNamed(client.name)}
      word={client.name}
      request={() => send(deleteExternalAuthClient, { params: { id: client.id }, query })}
      queryKey={clientsQuery.queryKey}
      onClose={onClose}
    >
      <Switch
        kind="checkbox"
        label={text.endTokens}
        help={text.endTokensHelp}
        checked={endsTokens}
        onChange={setEndsTokens}
      />
    </DeleteDialog>
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
    { id: 'name', head: text.name, cell: ({ name }) => <bdi className="pn-words">{name}</bdi> },
    {
      id: 'redirectUri',
      head: text.redirectUri,
      cell: ({ redirectUri }) => (
        <code dir="ltr" className="pn-words">
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
