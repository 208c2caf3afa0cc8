import { deleteWave, MAX_MOVE_MS, moveWave } from '@pennant/contract/waves.ts'
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
import { wavesQuery, type Wave, useChange } from './queries.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useMutation } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { announce } from '../../ui/announcer.tsx'

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
      cell: ({ countdown, announce: isAnnounced, announcedAt }) =>
        [
          ...(countdown ? [text.withCountdown] : []),
          ...(announcedAt !== null ? [text.announced] : isAnnounced ? [text.withAnnouncement] : []),
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

const QUICK_MINUTES = [-15, -5, 5, 15, 30, 60]

interface MoveProps {
  readonly wave: Wave
  readonly onClose: () => void
}

/** Moves a wave by minutes, with a preview of the result. */
function MoveDialog({ wave, onClose }: MoveProps) {
  const text = useMessages(adminWavesMessages)
  const format = useFormat()
  const change = useChange()
  const [minutes, setMinutes] = useState('30')
  const [force, setForce] = useState(false)
  const byMs = Math.round(Number(minutes) * MINUTE_MS)
  const isValid = minutes.trim() !== '' && byMs !== 0 && Math.abs(byMs) <= MAX_MOVE_MS
  const from = wave.openAt ?? 0
  const to = isValid ? from + byMs : from
  const move = useMutation({
    mutationFn: () => {
      const data = { version: wave.version, byMs, force }
      return change(send(moveWave, { params: { id: wave.id }, body: { data } }))
    },
    onSuccess({ failure }) {
      if (failure !== null) return
      announce(text.moved(wave.name, format.dateTime(to)))
      onClose()
    },
  })
  const needsConfirmation = move.data?.needsForce === true && !force
  return (
    <Dialog
      open
      size="medium"
      onClose={onClose}
      title={text.moveOf(wave.name)}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            tone="primary"
            disabledBecause={
              isValid ? (needsConfirmation ? text.errors.badWaveReleased : undefined) : text.minutes
            }
            busy={move.isPending}
            onClick={() => move.mutate()}
          >
            {text.move}
          </Button>
        </>
      }
    >
      <div className="pn-stack pn-gap-4">
        <TextInput
          label={text.minutes}
          help={text.minutesHelp}
          value={minutes}
          onChange={setMinutes}
          inputMode="numeric"
          autoComplete="off"
        />
        <QuickMoves onChange={setMinutes} />
        <p className="pn-flat" aria-live="polite">
          {text.preview(format.dateTime(from), format.dateTime(to))} {text.count(wave.challengeIds.length)}.{' '}
          {isValid && to <= serverNow() && text.opensNow}
        </p>
        {move.data?.needsForce && (
          <Switch kind="checkbox" label={text.force} checked={force} onChange={setForce} />
        )}
        <FailureLine>{move.data?.failure ?? undefined}</FailureLine>
      </div>
    </Dialog>
  )
}

function QuickMoves({ onChange }: { readonly onChange: (minutes: string) => void }) {
  const text = useMessages(adminWavesMessages)
  return (
    <div className={styles.line}>
      {QUICK_MINUTES.map((quick) => (
        <Button key={quick} tone="quiet" onClick={() => onChange(String(quick))}>
          {quick < 0 ? text.earlier(-quick) : text.later(quick)}
        </Button>
      ))}
    </div>
  )
}
