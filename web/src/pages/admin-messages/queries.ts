import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  listAdminMessageThreads,
  readAdminMessageThread,
  readMessageOptions,
} from '@pennant/contract/messages.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'

export const ADMIN_MESSAGES_KEY = [OWN_KEY, 'admin-messages'] as const

export const filters = ['open', 'mine', 'unassigned', 'answered', 'closed', 'all'] as const
export type QueueFilter = (typeof filters)[number]

export interface QueueAddress {
  readonly filter: QueueFilter
  /** Empty for any. */
  readonly challengeId: string
  /** Zero-based. */
  readonly page: number
}

export function queueQuery({ filter, challengeId, page }: QueueAddress) {
  const query = {
    filter,
    limit: String(LIST_PAGE),
    offset: String(page * LIST_PAGE),
    ...(challengeId === '' ? {} : { challengeId }),
  }
  return queryOptions({
    queryKey: [...ADMIN_MESSAGES_KEY, 'queue', query],
    queryFn: ({ signal }) => requestData(listAdminMessageThreads, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(MINUTE_MS),
  })
}

export function adminThreadQuery(id: string) {
  return queryOptions({
    queryKey: [...ADMIN_MESSAGES_KEY, 'thread', id],
    queryFn: ({ signal }) => requestData(readAdminMessageThread, { params: { id } }, { signal }),
    ...refresh(MINUTE_MS),
  })
}

export const messageOptionsQuery = queryOptions({
  queryKey: [...ADMIN_MESSAGES_KEY, 'options'],
  queryFn: async ({ signal }) => (await requestData(readMessageOptions, {}, { signal })).options,
  ...refresh(MINUTE_MS),
})

export type AdminThread = Awaited<ReturnType<typeof requestData<typeof readAdminMessageThread>>>['thread']
export type MessageOptions = Awaited<ReturnType<typeof requestData<typeof readMessageOptions>>>['options']
