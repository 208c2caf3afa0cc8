import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { MAX_ADMIN_LIMIT } from '@pennant/contract/filters.ts'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { serverNow } from '../../state/clock.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ask } from '../../api/client.ts'
import { lineOf } from '../../layout/organiser-list/csv-line.ts'
import { requestOf, sharedFrom, textOf, type AuditFilter, type AuditRow } from './queries.ts'

/** Maximum number of rows in one file. */
const MOST_ROWS = 200_000
const HEAD = ['time', 'team', 'team_id', 'challenge', 'category', 'kind', 'result', 'ip', 'text', 'made_for']

/** Exports the filtered submissions as CSV, page by page; a second click cancels. */
export function CsvButton({ filter, total }: { readonly filter: AuditFilter; readonly total: number }) {
  const text = useMessages(adminSubmissionsMessages)
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
      if (total > MOST_ROWS) toasts.show(text.csvTruncated(format.number(MOST_ROWS)))
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

interface CsvOptions {
  readonly filter: AuditFilter
  /** Unix milliseconds. Later submissions are left out, so that pages do not shift. */
  readonly before: number
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Loads the rows of a filter, newest first. Throws `RequestFailure`, or the abort reason. */
async function loadCsv({ filter, before, onProgress, signal }: CsvOptions): Promise<string> {
  const { searches, body } = requestOf(filter)
  const createdBefore = new Date(Math.min(before, filter.before ?? before)).toISOString()
  const lines = [lineOf(HEAD)]
  for (let offset = 0; offset < MOST_ROWS; offset += MAX_ADMIN_LIMIT) {
    const query = { ...searches, limit: String(MAX_ADMIN_LIMIT), offset: String(offset) }
    const page = await ask(filterSubmissions, { query, body: { ...body, createdBefore } }, { signal })
    for (const row of page.submissions) lines.push(lineOf(cellsOf(row)))
    onProgress(lines.length - 1, Math.min(page.total, MOST_ROWS))
    if (page.submissions.length < MAX_ADMIN_LIMIT) break
  }
  // The byte order mark makes spreadsheets read the text as UTF-8.
  return `\uFEFF${lines.join('')}`
}

function cellsOf(row: AuditRow): string[] {
  const { createdAt, userName, userId, challengeName, challengeCategory, kind, result, ip } = row
  const names = [userName, userId, challengeName, challengeCategory]
  return [createdAt, ...names, kind, result, ip, textOf(row), sharedFrom(row) ?? '']
}
