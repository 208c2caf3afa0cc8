import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  downloadEventStatistics,
  downloadPublicStatistics,
  listWrongFlags,
  readEventStatistics,
  readPublicStatistics,
  type AdminStatisticsTable,
  type StatisticsTable,
} from '@pennant/contract/statistics.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { requestData, requestFile } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh, refreshForAll } from '../../state/live.ts'

export type Table = z.output<typeof StatisticsTable>
export type AdminTable = z.output<typeof AdminStatisticsTable>
export type Report = Awaited<ReturnType<typeof requestData<typeof readPublicStatistics>>>
export type WrongFlagRow = Awaited<ReturnType<typeof requestData<typeof listWrongFlags>>>['flags'][number]
export type ChallengeFigures = Report['challenges'][number]

/** Rows of a page of wrong flags. */
export const WRONG_FLAGS_PAGE = 25

export const publicStatisticsQuery = queryOptions({
  queryKey: ['statistics'],
  queryFn: ({ signal }) => requestData(readPublicStatistics, {}, { signal }),
  ...refreshForAll(10 * MINUTE_MS),
})

export const eventStatisticsQuery = queryOptions({
  queryKey: [OWN_KEY, 'event-statistics'],
  queryFn: ({ signal }) => requestData(readEventStatistics, {}, { signal }),
  ...refresh(2 * MINUTE_MS),
})

/** The first of each challenge, or those of one; empty for all. */
export function wrongFlagsQuery(challenge: string, offset: number) {
  const query = {
    limit: String(WRONG_FLAGS_PAGE),
    offset: String(offset),
    ...(challenge !== '' && { challenge }),
  }
  return queryOptions({
    queryKey: [OWN_KEY, 'wrong-flags', query],
    queryFn: ({ signal }) => requestData(listWrongFlags, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(2 * MINUTE_MS),
  })
}

/** Downloads a table as CSV. Throws `RequestFailure`. */
export function downloadTable(table: AdminTable, isOrganiser: boolean): Promise<Blob> {
  return isOrganiser || table === 'wrong-flags'
    ? requestFile(downloadEventStatistics, { params: { table } })
    : requestFile(downloadPublicStatistics, { params: { table } })
}
