import { MAX_ADMIN_LIMIT } from '@pennant/contract/filters.ts'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../api/failure.ts'
import { serverNow } from '../state/clock.ts'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useErrorText, useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { csvFile } from './csv-line.ts'

/** Maximum number of rows in one file. */
const MAX_ROWS = 200_000

interface CsvPage {
  readonly rows: readonly (readonly string[])[]
  readonly total: number
}

interface CsvButtonProps {
  /** Name of the file, without its time. */
  readonly name: string
  /** Names of the columns, the same in every language. */
  readonly head: readonly string[]
  /** Loads up to `limit` rows of the filtered list. `before`: the time of the click. */
  readonly load: (page: {
    readonly offset: number
    readonly limit: number
    readonly before: number
    readonly signal: AbortSignal
  }) => Promise<CsvPage>
}

/** Exports a filtered list as CSV, page by page; a second click cancels. */
export function CsvButton({ name, head, load }: CsvButtonProps) {
  const text = useMessages(organiserListMessages)
  const errorText = useErrorText('once')
  const format = useFormat()
  const [note, setNote] = useState<string>()
  const [progress, setProgress] = useState<readonly [done: number, total: number] | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async () => {
    const own = new AbortController()
    stop.current = own
    setNote(undefined)
    setProgress([0, 0])
    try {
      const rows = await loadAll(load, { signal: own.signal, onProgress: (...now) => setProgress(now) })
      const content = csvFile(head, rows)
      const at = new Date(serverNow()).toISOString().replaceAll(':', '-')
      saveFile({ name: `${name}-${at}.csv`, content, type: 'text/csv;charset=utf-8' })
      if (rows.length >= MAX_ROWS) setNote(text.csvTruncated(format.number(MAX_ROWS)))
    } catch (error) {
      if (error instanceof RequestFailure) setNote(errorText(error))
      else if (!own.signal.aborted) throw error
    }
    setProgress(null)
  }
  if (progress === null)
    return (
      <>
        {note !== undefined && <span role="alert">{note}</span>}
        <Button icon="download" onClick={() => void start()}>
          {text.csv}
        </Button>
      </>
    )
  return (
    <>
      <span role="status">{text.csvRunning(format.number(progress[0]), format.number(progress[1]))}</span>
      <Button onClick={() => stop.current?.abort()}>{text.cancel}</Button>
    </>
  )
}

interface Loading {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Throws `RequestFailure`, or the abort reason. */
async function loadAll(load: CsvButtonProps['load'], { signal, onProgress }: Loading) {
  const before = serverNow()
  const rows: (readonly string[])[] = []
  for (let offset = 0; offset < MAX_ROWS; offset += MAX_ADMIN_LIMIT) {
    const page = await load({ offset, limit: MAX_ADMIN_LIMIT, before, signal })
    rows.push(...page.rows)
    onProgress(rows.length, Math.min(page.total, MAX_ROWS))
    if (page.rows.length < MAX_ADMIN_LIMIT) break
  }
  return rows
}
