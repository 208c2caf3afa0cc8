import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { RequestFailure } from '../../../api/failure.ts'
import { useGate } from '../../../api/use-contest.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/inputs.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import styles from './dialogs.module.css'
import { useGraphLines } from '../graph/graph-data.ts'
import { loadRows } from './load-rows.ts'
import { Paper } from './paper.tsx'
import type { BoardRow } from '../use-board.ts'

/** Each page of 25 rows is one request: docs/reference/site.md#print-and-image */
const MAX_PRINTED = 200
/** Fallback that removes the print layout if the browser never fires `afterprint`. */
const MAX_PRINTING_MS = 120_000
const COUNTS = [25, 50, 100, MAX_PRINTED]

interface PrintDialogProps {
  readonly division: string | undefined
  readonly track: string | undefined
  readonly total: number
  readonly onClose: () => void
}

/** Loads the requested rows, then opens the system's print dialog. */
export function PrintDialog({ division, track, total, onClose }: PrintDialogProps) {
  const text = useMessages(scoresMessages)
  const errorText = useErrorText()
  const queries = useQueryClient()
  // Loaded while the dialog is open, so that it is ready with the rows.
  const { lines } = useGraphLines({ division, track })
  const { isEarly } = useGate('leaderboardRead')
  const [count, setCount] = useState(Math.min(total, MAX_PRINTED))
  const [rows, setRows] = useState<readonly BoardRow[] | null>(null)
  const loading = useMutation({
    mutationFn: () => loadRows(queries, { division, track, count, bypass: isEarly }),
    onSuccess: setRows,
  })
  const finish = useEffectEvent(() => {
    setRows(null)
    onClose()
  })
  useEffect(() => {
    if (!rows) return
    const end = () => finish()
    // Some browsers block in print(), others return immediately; all fire `afterprint`.
    addEventListener('afterprint', end)
    const timer = setTimeout(end, MAX_PRINTING_MS)
    print()
    return () => {
      removeEventListener('afterprint', end)
      clearTimeout(timer)
    }
  }, [rows])
  const choices = [
    ...COUNTS.filter((each) => each < total).map((each) => ({ value: String(each), label: text.top(each) })),
    ...(total <= MAX_PRINTED ? [{ value: String(total), label: text.all(total) }] : []),
  ]
  const printButton = (
    <Button tone="primary" busy={loading.isPending || rows !== null} onClick={() => loading.mutate()}>
      {text.print}
    </Button>
  )
  return (
    <Dialog open onClose={onClose} title={text.printTitle} actions={printButton}>
      <div className={styles.choices}>
        <Select
          label={text.teams}
          value={String(count)}
          onChange={(value) => setCount(Number(value))}
          choices={choices}
        />
      </div>
      {loading.error instanceof RequestFailure && <p role="alert">{errorText(loading.error)}</p>}
      {rows && createPortal(<Paper {...{ rows, lines, division }} />, document.body)}
    </Dialog>
  )
}
