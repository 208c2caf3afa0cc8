import { readSettings } from '@pennant/contract/admin-settings.ts'
import { readProcessingRecord } from '@pennant/contract/personal-data.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

/** While the erasure runs, the numbers change. */
const EVERY_MS = 30_000

export const recordQuery = queryOptions({
  queryKey: [OWN_KEY, 'processing-record'],
  queryFn: ({ signal }) => requestData(readProcessingRecord, {}, { signal }),
  ...refresh(EVERY_MS),
})

export type ProcessingData = Awaited<ReturnType<typeof requestData<typeof readProcessingRecord>>>

export const privacyQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-privacy'],
  queryFn: async ({ signal }) => {
    const { overrides, defaults } = await requestData(readSettings, {}, { signal })
    return overrides.privacy ?? defaults.privacy ?? {}
  },
  ...refresh(null),
})

export type Privacy = Awaited<ReturnType<NonNullable<typeof privacyQuery.queryFn>>>
