import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { MAX_ADMIN_LIMIT } from '@pennant/contract/filters.ts'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { caughtUp } from './tail.ts'
import { filterBody } from '../../organisers/filter-body.ts'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'
import type { Sort } from '../../ui/data/data-table.tsx'
import type { Filter } from '../../ui/data/filters.ts'

const TAIL_MS = 2000
/**
 * Rows get their timestamp before they are stored, so a row can appear with an earlier time than one already
 * read.
 */
const TAIL_OVERLAP_MS = 2000

/** The server's sort keys, by column name. */
export const auditSorts = ['createdAt', 'challenge', 'team', 'ip', 'kind', 'result'] as const
type AuditSort = (typeof auditSorts)[number]

export interface AuditFilter {
  readonly teamSearch: string
  readonly challengeSearch: string
  readonly filters: readonly Filter[]
  /** Unix milliseconds, both inclusive; null for no bound. */
  readonly after: number | null
  readonly before: number | null
}

interface Wanted extends AuditFilter {
  readonly sort: Sort
  readonly page: number
}

export function auditQuery({ sort, page, ...filter }: Wanted) {
  const { searches, body } = requestOf(filter)
  const query = {
    ...searches,
    limit: String(LIST_PAGE),
    offset: String(page * LIST_PAGE),
    sortBy: sort.by as AuditSort,
    sortOrder: sort.direction === 'ascending' ? ('asc' as const) : ('desc' as const),
  }
  return queryOptions({
    queryKey: [OWN_KEY, 'audit', query, body],
    queryFn: ({ signal }) => requestData(filterSubmissions, { query, body }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(null),
  })
}

/** The newest rows of a filter; each refresh only requests newer rows and merges them. */
export function tailQuery(filter: AuditFilter, client: QueryClient) {
  const { searches, body } = requestOf(filter)
  const queryKey = [OWN_KEY, 'audit-tail', searches, body]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const rows = client.getQueryData<readonly AuditRow[]>(queryKey) ?? []
      const newest = rows[0]
      const since =
        newest === undefined
          ? {}
          : { createdAfter: new Date(parseTimestamp(newest.createdAt) - TAIL_OVERLAP_MS).toISOString() }
      return caughtUp(rows, MAX_ADMIN_LIMIT, async (offset) => {
        const query = { ...searches, limit: String(MAX_ADMIN_LIMIT), offset: String(offset) }
        const response = await requestData(
          filterSubmissions,
          { query, body: { ...body, ...since } },
          { signal },
        )
        return response.submissions
      })
    },
    ...refresh(TAIL_MS),
  })
}

/** The request parameters that all pages of one filter share. */
export function requestOf({ teamSearch, challengeSearch, filters, after, before }: AuditFilter) {
  const team = teamSearch.trim()
  const challenge = challengeSearch.trim()
  const searches = {
    ...(team === '' ? {} : { teamSearch: team }),
    ...(challenge === '' ? {} : { challengeSearch: challenge }),
  }
  const bounds = {
    ...(after === null ? {} : { createdAfter: new Date(after).toISOString() }),
    ...(before === null ? {} : { createdBefore: new Date(before).toISOString() }),
  }
  return { searches, body: { ...filterBody(filters), ...bounds } }
}

export type AuditRow = Awaited<
  ReturnType<typeof requestData<typeof filterSubmissions>>
>['submissions'][number]

/** The team that a correct flag was generated for, if it is a different team. */
export function sharedFrom({ details }: Pick<AuditRow, 'details'>): string | null {
  const from = details['cheatedFrom']
  return typeof from === 'string' ? from : null
}

/** The submitted text: the flag, or the inputs of a bot job as JSON. */
export function textOf({ details }: Pick<AuditRow, 'details'>): string {
  const flag = details['submittedFlag']
  return typeof flag === 'string' ? flag : JSON.stringify(details['inputs'] ?? {})
}
