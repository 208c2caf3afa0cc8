import { listAdminAnnouncements, readAdminAnnouncement } from '@pennant/contract/announcements.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

export const adminAnnouncementsQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-announcements'],
  queryFn: async ({ signal }) => (await requestData(listAdminAnnouncements, {}, { signal })).announcements,
  ...refresh(MINUTE_MS),
})

export function historyQuery(id: string) {
  return queryOptions({
    queryKey: [OWN_KEY, 'admin-announcements', id],
    queryFn: ({ signal }) => requestData(readAdminAnnouncement, { params: { id } }, { signal }),
    staleTime: 0,
  })
}

type List = Awaited<ReturnType<typeof requestData<typeof listAdminAnnouncements>>>['announcements']
export type AdminAnnouncement = List[number]
export type EarlierVersion = Awaited<
  ReturnType<typeof requestData<typeof readAdminAnnouncement>>
>['earlier'][number]
