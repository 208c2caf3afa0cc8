import { stopMailing } from '@pennant/contract/mailings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { ToForm } from '../../organisers/empty-list.tsx'
import { adminMailMessages } from '../../text/en/admin-mail.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { mailingsQuery, type Mailing } from './queries.ts'

/** The mailings, newest first. */
export function MailingTable({ rows }: { readonly rows: readonly Mailing[] }) {
  const text = useMessages(adminMailMessages)
  const why = useFailureMessage()
  const queries = useQueryClient()
  const [going, setGoing] = useState<Mailing | null>(null)
  const columns = useColumns(setGoing)
  const stop = async ({ id }: Mailing) => {
    setGoing(null)
    announce((await why(send(stopMailing, { params: { id } }))) ?? text.states.stopped)
    await queries.invalidateQueries({ queryKey: mailingsQuery.queryKey })
  }
  return (
    <>
      <DataTable
        cards
        label={text.page}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        empty={<EmptyState action={<ToForm>{text.new}</ToForm>}>{text.none}</EmptyState>}
      />
      <Confirm
        open={going !== null}
        onClose={() => setGoing(null)}
        onConfirm={() => going && void stop(going)}
        title={text.stopOf(going?.subject ?? '')}
        action={text.stop}
      >
        <p>{text.stopAbout}</p>
      </Confirm>
    </>
  )
}

function useColumns(onStop: (row: Mailing) => void): Column<Mailing>[] {
  const text = useMessages(adminMailMessages)
  const format = useFormat()
  const { states } = text
  const stateOf = ({ waiting, failed, stopped }: Mailing) =>
    [
      stopped ? states.stopped : waiting > 0 ? states.waiting(waiting) : states.done,
      ...(failed > 0 ? [states.failed(failed)] : []),
    ].join(', ')
  return [
    { id: 'subject', head: text.subject, cell: ({ subject }) => <span className="pn-words">{subject}</span> },
    { id: 'count', head: text.count, align: 'end', cell: ({ count }) => format.number(count) },
    { id: 'state', head: text.state, cell: stateOf },
    {
      id: 'createdAt',
      head: text.written,
      cell: ({ createdAt }) => (
        <time dateTime={new Date(createdAt).toISOString()}>{format.dateTime(createdAt)}</time>
      ),
    },
    { id: 'by', head: text.by, cell: ({ createdBy }) => <bdi>{createdBy ?? '–'}</bdi> },
    {
      id: 'stop',
      head: text.stop,
      cell: (row) =>
        row.waiting > 0 && (
          <Button onClick={() => onStop(row)} aria-label={text.stopOf(row.subject)}>
            {text.stop}
          </Button>
        ),
    },
  ]
}
