import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { filterBody } from '../../layout/organiser-list/filter-body.ts'
import { LIST_PAGE } from '../../layout/organiser-list/use-list-address.ts'
import { refresh } from '../../state/live.ts'
import type { Sort } from '../../ui/data/data-table.tsx'
import type { Filter } from '../../ui/data/filters.ts'

const TAIL_MS = 2000

/** What the server sorts by, by the names of the columns. */
export const auditSorts = ['createdAt', 'challenge', 'team', 'ip', 'kind', 'result'] as const
type AuditSort = (typeof auditSorts)[number]

export interface AuditFilter {
  readonly teamSearch: string
  readonly challengeSearch: string
  readonly filters: readonly Filter[]
  /** Unix milliseconds; null for no bound. */
  readonly after: number | null
}

interface Wanted extends AuditFilter {
  readonly sort: Sort
  readonly page: number
  readonly isLive: boolean
}

export function auditQuery({ sort, page, isLive, ...filter }: Wanted) {
  const { searches, body } = requestOf(filter)
  const query = {
    ...searches,
    limit: String(LIST_PAGE),
    offset: String(page * LIST_PAGE),
    sortBy: sort.by as AuditSort,
    sortOrder: sort.direction === 'ascending' ? ('asc' as const) : ('desc' as const),
  }
  return queryOptions({
    queryKey: [ownKey, 'audit', query, body],
    queryFn: ({ signal }) => ask(filterSubmissions, { query, body }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(isLive ? TAIL_MS : null),
  })
}

/** The parts of a request that every page of one filter shares. */
export function requestOf({ teamSearch, challengeSearch, filters, after }: AuditFilter) {
  const team = teamSearch.trim()
  const challenge = challengeSearch.trim()
  const searches = {
    ...(team === '' ? {} : { teamSearch: team }),
    ...(challenge === '' ? {} : { challengeSearch: challenge }),
  }
  const bounds = after === null ? {} : { createdAfter: new Date(after).toISOString() }
  return { searches, body: { ...filterBody(filters), ...bounds } }
}

export type AuditRow = Awaited<ReturnType<typeof ask<typeof filterSubmissions>>>['submissions'][number]

/** The team that a correct flag was made for, when that is another one. */
export function sharedFrom({ details }: Pick<AuditRow, 'details'>): string | null {
  const from = details['cheatedFrom']
  return typeof from === 'string' ? from : null
}

/** What was sent: the flag, or the inputs of a bot's job as JSON. */
export function textOf({ details }: Pick<AuditRow, 'details'>): string {
  const flag = details['submittedFlag']
  return typeof flag === 'string' ? flag : JSON.stringify(details['inputs'] ?? {})
}
