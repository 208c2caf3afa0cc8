import { readSettings } from '@pennant/contract/admin-settings.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

export type Both = Awaited<ReturnType<typeof requestData<typeof readSettings>>>

export const settingsQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-settings'],
  queryFn: ({ signal }) => requestData(readSettings, {}, { signal }),
  ...refresh(null),
})
