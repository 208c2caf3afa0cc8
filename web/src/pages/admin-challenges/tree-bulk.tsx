import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar, useJob } from '../../layout/organiser-list/bulk.tsx'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import { serverNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Popover } from '../../ui/layers/floats.tsx'
import styles from './challenges.module.css'
import type { AdminChallenge, Body } from './draft.ts'
import { challengesKey, writeChallenge } from './queries.ts'
import { showingOf } from './state-of.ts'
import { words } from './words.ts'

interface TreeBulkProps {
  readonly chosen: readonly AdminChallenge[]
  readonly onClear: () => void
}

/** What can be done to several challenges at once. */
export function TreeBulk({ chosen, onClear }: TreeBulkProps) {
  const text = useText(words)
  const why = useWhy()
  const client = useQueryClient()
  const job = useJob<AdminChallenge>(() => void client.invalidateQueries({ queryKey: challengesKey }))
  const [isShowing, setShowing] = useState(false)
  const [isScheduling, setScheduling] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const start = (title: string, data: Body) => {
    setShowing(false)
    setScheduling(false)
    void job.start({ title, items: chosen, deed: ({ id }) => why(writeChallenge(id, data)) })
  }
  return (
    <>
      <BulkBar count={chosen.length} onClear={onClear}>
        <Button onClick={() => setShowing(true)}>{text.showAll}</Button>
        <Button onClick={() => start(text.hiding, { hidden: true })}>{text.hideAll}</Button>
        <Popover
          label={text.schedule}
          open={isScheduling}
          onChange={setScheduling}
          target={<Button onClick={() => setScheduling(!isScheduling)}>{text.schedule}</Button>}
        >
          <div className={styles.form}>
            <DateTime label={text.scheduleAt} value={at} onChange={setAt} />
            <Button
              tone="primary"
              disabledBecause={at === null ? text.scheduleAt : undefined}
              onClick={() => start(text.scheduling, { hidden: false, releaseTime: at })}
            >
              {text.schedule}
            </Button>
          </div>
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

/** What is seen once cannot be unseen. */
function ShowConfirm({ chosen, onClose, onConfirm }: ShowConfirmProps) {
  const text = useText(words)
  const { shown, early } = showingOf(chosen, serverNow())
  return (
    <Confirm open onClose={onClose} onConfirm={onConfirm} title={text.showTitle} deed={text.showAll}>
      <p>{text.showAbout(shown)}</p>
      {early > 0 && <p>{text.showEarly(early)}</p>}
    </Confirm>
  )
}
