import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { MAX_MOVE_MS, moveWave } from '@pennant/contract/waves.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { serverNow } from '../../state/clock.ts'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { announce } from '../../ui/announcer.tsx'
import styles from './admin-waves.module.css'
import { useChange, type Wave } from './queries.ts'

const QUICK_MINUTES = [-15, -5, 5, 15, 30, 60]

interface MoveProps {
  readonly wave: Wave
  readonly onClose: () => void
}

/** Moves a wave by minutes, with a preview of the result. */
export function MoveDialog({ wave, onClose }: MoveProps) {
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
