import { deleteWave } from '@pennant/contract/waves.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { send } from '../../api/client.ts'
import { serverNow } from '../../state/clock.ts'
import { ToForm } from '../../organisers/empty-list.tsx'
import { paths } from '../../paths.ts'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import styles from './admin-waves.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { wavesQuery, type Wave } from './queries.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

interface TableProps {
  readonly rows: readonly Wave[]
  readonly mayWrite: boolean
  readonly onEdit: (row: Wave) => void
  readonly onCheck: (row: Wave) => void
}

/** All waves by time; those without one last. */
export function WaveTable({ rows, mayWrite, onEdit, onCheck }: TableProps) {
  const text = useMessages(adminWavesMessages)
  const frame = useMessages(frameMessages)
  const [moved, setMoved] = useState<Wave | null>(null)
  const [going, setGoing] = useState<Wave | null>(null)
  const facts = useFacts()
  const actions = useActions({ mayWrite, onEdit, onCheck, onMove: setMoved, onDelete: setGoing })
  return (
    <>
      <DataTable
        cards
        label={text.page}
        columns={[...facts, actions]}
        rows={rows}
        rowId={({ id }) => id}
        empty={
          <EmptyState
            action={
              mayWrite ? (
                <ToForm>{text.new}</ToForm>
              ) : (
                <Link to={paths.adminChallenges()}>{frame.organiser.challenges}</Link>
              )
            }
          >
            {text.none}
          </EmptyState>
        }
      />
      {moved && <MoveDialog wave={moved} onClose={() => setMoved(null)} />}
      {going && (
        <DeleteDialog
          title={text.deleteOf(going.name)}
          about={text.deleteAbout}
          deleted={text.deletedNamed(going.name)}
          request={() => send(deleteWave, { params: { id: going.id } })}
          queryKey={wavesQuery.queryKey}
          onClose={() => setGoing(null)}
        />
      )}
    </>
  )
}

function useFacts(): Column<Wave>[] {
  const text = useMessages(adminWavesMessages)
  const format = useFormat()
  return [
    { id: 'name', head: text.name, cell: ({ name }) => <span className="pn-words">{name}</span> },
    {
      id: 'openAt',
      head: text.opens,
      cell: ({ openAt }) =>
        openAt === null ? (
          <span className="pn-muted">{text.notScheduled}</span>
        ) : (
          <>
            <time dateTime={new Date(openAt).toISOString()}>{format.dateTime(openAt)}</time>
            {openAt <= serverNow() && ` · ${text.isOpen}`}
          </>
        ),
    },
    {
      id: 'challenges',
      head: text.challenges,
      cell: ({ challengeIds }) => format.number(challengeIds.length),
    },
    {
      id: 'players',
      head: text.players,
      cell: ({ countdown, announce, announcedAt }) =>
        [
          ...(countdown ? [text.withCountdown] : []),
          ...(announcedAt !== null ? [text.announced] : announce ? [text.withAnnouncement] : []),
        ].join(', '),
    },
  ]
}

interface ActionOptions extends Pick<TableProps, 'mayWrite' | 'onCheck'> {
  readonly onEdit: (row: Wave) => void
  readonly onMove: (row: Wave) => void
  readonly onDelete: (row: Wave) => void
}

function useActions({ mayWrite, onCheck, onEdit, onMove, onDelete }: ActionOptions): Column<Wave> {
  const text = useMessages(adminWavesMessages)
  return {
    id: 'actions',
    head: text.actions,
    stays: true,
    cell: (row) => (
      <div className={styles.buttons}>
        <Button icon="check" aria-label={text.check.of(row.name)} onClick={() => onCheck(row)}>
          {text.check.action}
        </Button>
        {mayWrite && row.openAt !== null && (
          <Button icon="clock" aria-label={text.moveOf(row.name)} onClick={() => onMove(row)}>
            {text.move}
          </Button>
        )}
        {mayWrite && (
          <>
            <Button aria-label={text.editOf(row.name)} onClick={() => onEdit(row)}>
              {text.edit}
            </Button>
            <Button
              tone="danger"
              icon="trash"
              aria-label={text.deleteOf(row.name)}
              onClick={() => onDelete(row)}
            >
              {text.delete}
            </Button>
          </>
        )}
      </div>
    ),
  }
}
