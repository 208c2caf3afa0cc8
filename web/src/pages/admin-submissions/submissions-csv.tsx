import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { requestData } from '../../api/client.ts'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { requestOf, sharedFrom, textOf, type AuditFilter, type AuditRow } from './queries.ts'

const HEAD = [
  'time',
  'team',
  'team_id',
  'challenge',
  'category',
  'kind',
  'result',
  'ip',
  'text',
  'made_for',
  'person',
  'person_id',
  'api_token',
  'api_token_id',
]

/** Exports the filtered submissions, newest first. Those after the click are left out, so that pages do not shift. */
export function SubmissionsCsv({ filter }: { readonly filter: AuditFilter }) {
  const { searches, body } = requestOf(filter)
  return (
    <CsvButton
      name="submissions"
      head={HEAD}
      load={async ({ offset, limit, before, signal }) => {
        const createdBefore = new Date(Math.min(before, filter.before ?? before)).toISOString()
        const query = { ...searches, limit: String(limit), offset: String(offset) }
        const page = await requestData(
          filterSubmissions,
          { query, body: { ...body, createdBefore } },
          { signal },
        )
        return { rows: page.submissions.map(cellsOf), total: page.total }
      }}
    />
  )
}

function cellsOf(row: AuditRow): string[] {
  const { createdAt, userName, userId, challengeName, challengeCategory, kind, result, ip } = row
  const names = [userName, userId, challengeName, challengeCategory]
  return [
    createdAt,
    ...names,
    kind,
    result,
    ip,
    textOf(row),
    sharedFrom(row) ?? '',
    row.person?.name ?? '',
    row.person?.id ?? '',
    row.apiToken?.name ?? '',
    row.apiToken?.id ?? '',
  ]
}
