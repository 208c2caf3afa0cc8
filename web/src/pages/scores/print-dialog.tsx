import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { RequestFailure } from '../../api/failure.ts'
import { useGate } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import styles from './dialogs.module.css'
import { useGraphLines } from './graph-data.ts'
import { loadRows } from './load-rows.ts'
import { Paper } from './paper.tsx'
import type { BoardRow } from './use-board.ts'
import { words } from './words.ts'

/** Site specification 5.4: each page of 25 is a request. */
const MOST_PRINTED = 200
/** By then the paper goes, whether the browser told the end or not. */
const MOST_PRINTING_MS = 120_000
const COUNTS = [25, 50, 100, MOST_PRINTED]

interface PrintDialogProps {
  readonly division: string | undefined
  readonly total: number
  readonly onClose: () => void
}

/** Fetches the rows that are asked for, then opens the system's print dialog. */
export function PrintDialog({ division, total, onClose }: PrintDialogProps) {
  const text = useText(words)
  const errorText = useErrorText()
  const queries = useQueryClient()
  // Asked for while the dialog is open, so that it is here when the rows are.
  const { lines } = useGraphLines({ division })
  const { isEarly } = useGate('leaderboardRead')
  const [count, setCount] = useState(Math.min(total, MOST_PRINTED))
  const [rows, setRows] = useState<readonly BoardRow[] | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | null>(null)
  useEffect(() => {
    if (!rows) return
    const end = () => {
      setRows(null)
      onClose()
    }
    // Many browsers hold the page until their dialog is closed, some go on at once: all tell the end.
    addEventListener('afterprint', end)
    const timer = setTimeout(end, MOST_PRINTING_MS)
    print()
    return () => {
      removeEventListener('afterprint', end)
      clearTimeout(timer)
    }
  }, [rows])
  const load = async () => {
    setLoading(true)
    setFailure(null)
    try {
      setRows(await loadRows(queries, { division, count, bypass: isEarly }))
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setFailure(error)
    } finally {
      setLoading(false)
    }
  }
  const choices = [
    ...COUNTS.filter((each) => each < total).map((each) => ({ value: String(each), label: text.top(each) })),
    ...(total <= MOST_PRINTED ? [{ value: String(total), label: text.all(total) }] : []),
  ]
  const deed = (
    <Button tone="primary" busy={isLoading || rows !== null} onClick={() => void load()}>
      {text.print}
    </Button>
  )
  return (
    <Dialog open onClose={onClose} title={text.printTitle} actions={deed}>
      <div className={styles.choices}>
        <Select
          label={text.teams}
          value={String(count)}
          onChange={(value) => setCount(Number(value))}
          choices={choices}
        />
      </div>
      {failure && <EmptyState>{errorText(failure)}</EmptyState>}
      {rows && createPortal(<Paper {...{ rows, lines, division }} />, document.body)}
    </Dialog>
  )
}
