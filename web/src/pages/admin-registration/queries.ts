import { listRegistrationCodes, listRegistrations } from '@pennant/contract/registration.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'

const EVERY_MS = 30_000

export const registrationsKey = [OWN_KEY, 'registrations']
export const codesKey = [OWN_KEY, 'registration-codes']

export type RequestState = 'waiting' | 'approved' | 'refused'

const pageOf = (page: number) => ({ limit: String(LIST_PAGE), offset: String(page * LIST_PAGE) })

export function registrationsQuery(state: RequestState, page: number) {
  return queryOptions({
    queryKey: [...registrationsKey, state, page],
    queryFn: ({ signal }) =>
      requestData(listRegistrations, { query: { state, ...pageOf(page) } }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
}

export function codesQuery(page: number) {
  return queryOptions({
    queryKey: [...codesKey, page],
    queryFn: ({ signal }) => requestData(listRegistrationCodes, { query: pageOf(page) }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
}

export type Registration = Awaited<
  ReturnType<typeof requestData<typeof listRegistrations>>
>['registrations'][number]

export type Code = Awaited<ReturnType<typeof requestData<typeof listRegistrationCodes>>>['codes'][number]

export type CodeState = 'usable' | 'used' | 'expired' | 'revoked'

export function codeState({ revokedAt, uses, maxUses, expiresAt }: Code, now: number): CodeState {
  if (revokedAt !== null) return 'revoked'
  if (uses >= maxUses) return 'used'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'usable'
}
