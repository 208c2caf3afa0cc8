import {
  listAdminPages,
  listPageAcceptances,
  readAdminPage,
  readPageVersion,
} from '@pennant/contract/pages.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'

const KEY = [OWN_KEY, 'admin-pages'] as const

export const adminPagesQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => requestData(listAdminPages, {}, { signal }),
  ...refresh(MINUTE_MS),
})

export function adminPageQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => requestData(readAdminPage, { params: { id } }, { signal }),
    staleTime: 0,
  })
}

export function versionQuery(id: string, version: number) {
  return queryOptions({
    queryKey: [...KEY, id, 'version', version],
    queryFn: ({ signal }) =>
      requestData(readPageVersion, { params: { id, version: String(version) } }, { signal }),
    staleTime: Infinity,
  })
}

interface Range {
  readonly offset: number
  readonly limit: number
  readonly signal: AbortSignal
}

export function requestAcceptances(id: string, { offset, limit, signal }: Range) {
  const query = { limit: String(limit), offset: String(offset) }
  return requestData(listPageAcceptances, { params: { id }, query }, { signal })
}

export function acceptancesQuery(id: string, page: number) {
  return queryOptions({
    queryKey: [...KEY, id, 'acceptances', page],
    queryFn: ({ signal }) => requestAcceptances(id, { offset: page * LIST_PAGE, limit: LIST_PAGE, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export type PageHead = Awaited<ReturnType<typeof requestData<typeof listAdminPages>>>['pages'][number]
export type AdminPage = Awaited<ReturnType<typeof requestData<typeof readAdminPage>>>['page']
export type PageVersion = Awaited<ReturnType<typeof requestData<typeof readAdminPage>>>['versions'][number]
export type PageTeam = Awaited<ReturnType<typeof requestAcceptances>>['teams'][number]
