import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { maxAdminLimit } from '@pennant/contract/filters.ts'
import { ask } from '../../api/client.ts'
import { lineOf } from '../../layout/organiser-list/csv-line.ts'
import { requestOf, sharedFrom, textOf, type AuditFilter, type AuditRow } from './queries.ts'

/** Rows of one file. */
export const MOST_ROWS = 200_000

const HEAD = ['time', 'team', 'team_id', 'challenge', 'category', 'kind', 'result', 'ip', 'text', 'made_for']

interface CsvOptions {
  readonly filter: AuditFilter
  /** Unix milliseconds: what is sent later is left out, so that pages do not move. */
  readonly before: number
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** The rows of a filter, newest first. Throws `RequestFailure`, and what an abort throws. */
export async function loadCsv({ filter, before, onProgress, signal }: CsvOptions): Promise<string> {
  const { searches, body } = requestOf(filter)
  const createdBefore = new Date(Math.min(before, filter.before ?? before)).toISOString()
  const lines = [lineOf(HEAD)]
  for (let offset = 0; offset < MOST_ROWS; offset += maxAdminLimit) {
    const query = { ...searches, limit: String(maxAdminLimit), offset: String(offset) }
    const page = await ask(filterSubmissions, { query, body: { ...body, createdBefore } }, { signal })
    for (const row of page.submissions) lines.push(lineOf(cellsOf(row)))
    onProgress(lines.length - 1, Math.min(page.total, MOST_ROWS))
    if (page.submissions.length < maxAdminLimit) break
  }
  // Spreadsheets take the text as UTF-8 by the mark at its begin.
  return `\uFEFF${lines.join('')}`
}

function cellsOf(row: AuditRow): string[] {
  const { createdAt, userName, userId, challengeName, challengeCategory, kind, result, ip } = row
  const names = [userName, userId, challengeName, challengeCategory]
  return [createdAt, ...names, kind, result, ip, textOf(row), sharedFrom(row) ?? '']
}
