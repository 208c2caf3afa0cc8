import { divisionName, useConfig } from '../../api/use-contest.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar } from '../../layout/organiser-list/bulk.tsx'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { useNow } from '../../state/clock.ts'
import { adminVerificationsMessages } from '../../text/en/admin-verifications.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { verificationsQuery, type Verification } from './queries.ts'
import { useVerificationActions } from './use-verification-actions.ts'
import styles from './verifications.module.css'

export function Component() {
  const text = useMessages(adminVerificationsMessages)
  const query = useQuery(verificationsQuery)
  const rows = query.data?.verifications
  return (
    <OrganiserPage title={text.title}>
      <p className={styles.about}>{text.about}</p>
      {rows ? <Registrations rows={rows} /> : <Waiting query={query} rows={6} />}
    </OrganiserPage>
  )
}

function Registrations({ rows }: { readonly rows: readonly Verification[] }) {
  const text = useMessages(adminVerificationsMessages)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const actions = useVerificationActions()
  const chosen = rows.filter(({ id }) => selected.has(id))
  return (
    <>
      <DataTable
        cards
        label={text.table}
        columns={useColumns(actions)}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        selected={selected}
        onSelect={setSelected}
        empty={text.none}
      />
      <BulkBar count={chosen.length} onClear={() => setSelected(new Set())}>
        <Button onClick={() => actions.completeAll(chosen)}>{text.complete}</Button>
        <CopyButton text={() => chosen.map(({ email }) => email).join('\n')}>{text.copyEmails}</CopyButton>
      </BulkBar>
      {actions.dialog}
    </>
  )
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
    { id: 'name', head: text.name, cell: ({ name }) => <bdi>{name}</bdi> },
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
            <Button tone="quiet" busy={pendingIds.includes(row.id)} onClick={() => resend(row)}>
              {text.resend}
            </Button>
          )}
        </span>
      ),
    },
  ]
}
