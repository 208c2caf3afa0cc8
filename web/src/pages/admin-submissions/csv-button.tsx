import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { serverNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { loadCsv, MOST_ROWS } from './csv.ts'
import type { AuditFilter } from './queries.ts'
import { words } from './words.ts'

/** Saves what the filter keeps as a file, page by page; a second press cancels. */
export function CsvButton({ filter, total }: { readonly filter: AuditFilter; readonly total: number }) {
  const text = useText(words)
  const errorText = useErrorText('once')
  const format = useFormat()
  const toasts = useToasts()
  const [progress, setProgress] = useState<readonly [done: number, total: number] | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async () => {
    const own = new AbortController()
    stop.current = own
    setProgress([0, Math.min(total, MOST_ROWS)])
    try {
      const onProgress = (done: number, all: number) => setProgress([done, all])
      save(await loadCsv({ filter, before: serverNow(), onProgress, signal: own.signal }))
      if (total > MOST_ROWS) toasts.show(text.csvCut(format.number(MOST_ROWS)))
    } catch (error) {
      if (error instanceof RequestFailure) toasts.show(errorText(error), 'bad')
      else if (!own.signal.aborted) throw error
    }
    setProgress(null)
  }
  if (progress === null)
    return (
      <Button icon="download" onClick={() => void start()}>
        {text.csv}
      </Button>
    )
  return (
    <>
      <span role="status">{text.csvRunning(format.number(progress[0]), format.number(progress[1]))}</span>
      <Button onClick={() => stop.current?.abort()}>{text.csvCancel}</Button>
    </>
  )
}

function save(csv: string): void {
  const name = `submissions-${new Date(serverNow()).toISOString().replaceAll(':', '-')}.csv`
  saveFile({ name, content: csv, type: 'text/csv;charset=utf-8' })
}
