import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar, useJob } from '../../../organisers/bulk.tsx'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { serverNow } from '../../../state/clock.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { DateTime } from '../../../ui/fields/date-time.tsx'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { Popover } from '../../../ui/layers/floats.tsx'
import styles from '../challenges.module.css'
import type { AdminChallenge, Body } from '../draft.ts'
import { ExportChosen } from '../import/export-button.tsx'
import { challengesKey, writeChallenge } from '../queries.ts'
import { showingOf } from '../state-of.ts'

interface TreeBulkProps {
  readonly chosen: readonly AdminChallenge[]
  readonly onClear: () => void
}

/** Bulk actions on the selected challenges. */
export function TreeBulk({ chosen, onClear }: TreeBulkProps) {
  const text = useMessages(adminChallengesMessages)
  const why = useFailureMessage()
  const client = useQueryClient()
  const job = useJob<AdminChallenge>(() => void client.invalidateQueries({ queryKey: challengesKey }))
  const [isShowing, setShowing] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const start = (title: string, data: Body) => {
    setShowing(false)
    void job.start({ title, items: chosen, run: ({ id }) => why(writeChallenge(id, data)) })
  }
  return (
    <>
      <BulkBar count={chosen.length} onClear={onClear}>
        <Button onClick={() => setShowing(true)}>{text.show}</Button>
        <ExportChosen chosen={chosen} />
        <Button onClick={() => start(text.hiding, { hidden: true })}>{text.hide}</Button>
        <Popover label={text.schedule} target={<Button>{text.schedule}</Button>}>
          {(close) => (
            <div className={styles.form}>
              <DateTime label={text.scheduleAt} value={at} onChange={setAt} />
              <Button
                tone="primary"
                disabledBecause={at === null || Number.isNaN(at) ? text.scheduleAt : undefined}
                onClick={() => {
                  close()
                  start(text.scheduling, { hidden: false, releaseTime: at })
                }}
              >
                {text.schedule}
              </Button>
            </div>
          )}
        </Popover>
      </BulkBar>
      {isShowing && (
        <ShowConfirm
          chosen={chosen}
          onClose={() => setShowing(false)}
          onConfirm={() => start(text.showing, { hidden: false, releaseTime: null })}
        />
      )}
      {job.dialog}
    </>
  )
}

interface ShowConfirmProps {
  readonly chosen: readonly AdminChallenge[]
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks first, because showing a challenge to players cannot be undone. */
function ShowConfirm({ chosen, onClose, onConfirm }: ShowConfirmProps) {
  const text = useMessages(adminChallengesMessages)
  const { shown, early } = showingOf(chosen, serverNow())
  return (
    <Confirm open onClose={onClose} onConfirm={onConfirm} title={text.showTitle} action={text.show}>
      <p>{text.showAbout(shown)}</p>
      {early > 0 && <p>{text.showScheduled(early)}</p>}
    </Confirm>
  )
}
