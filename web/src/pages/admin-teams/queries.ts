import { filterTeams, readTeam } from '@pennant/contract/admin-teams.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { tracksOf } from '../../account/tracks/tracks-of.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { teamFilterBody } from '../../organisers/field-lists.tsx'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'
import type { Sort } from '../../ui/data/data-table.tsx'
import type { Filter } from '../../ui/data/filters.ts'

export const EVERY_MS = 30_000

/** Query key prefix of all team queries. */
export const teamsKey = [OWN_KEY, 'admin-teams'] as const

interface Wanted {
  readonly search: string
  readonly sort: Sort
  readonly filters: readonly Filter[]
  readonly page: number
}

/** The server's sort keys, by column name. */
export const teamSorts = ['createdAt', 'team', 'status', 'division', 'email', 'score', 'solves'] as const
type TeamSort = (typeof teamSorts)[number]

/** The request for a page of the list. */
export function teamsRequest({ search, sort, filters }: Omit<Wanted, 'page'>, offset: number, limit: number) {
  const text = search.trim()
  const query = {
    limit: String(limit),
    offset: String(offset),
    sortBy: sort.by as TeamSort,
    sortOrder: sort.direction === 'ascending' ? ('asc' as const) : ('desc' as const),
    ...(text === '' ? {} : { search: text }),
  }
  return { query, body: teamFilterBody(filters) }
}

export function teamsQuery({ page, ...wanted }: Wanted) {
  const { query, body } = teamsRequest(wanted, page * LIST_PAGE, LIST_PAGE)
  return queryOptions({
    queryKey: [...teamsKey, 'list', query, body],
    queryFn: ({ signal }) => requestData(filterTeams, { query, body }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
}

export function teamQuery(id: string) {
  return queryOptions({
    queryKey: [...teamsKey, 'one', id],
    queryFn: ({ signal, client }) =>
      requestData(readTeam, { params: { id }, query: tracksOf(client) }, { signal }),
    ...refresh(EVERY_MS),
  })
}

export type Team = Awaited<ReturnType<typeof requestData<typeof filterTeams>>>['users'][number]
export type TeamDetail = Awaited<ReturnType<typeof requestData<typeof readTeam>>>

/** Uses the same statuses as the status filter. */
export function statusOf({ perms, banned }: Pick<Team, 'perms' | 'banned'>) {
  if (perms !== 0) return 'admin'
  return banned ? 'banned' : 'active'
}
