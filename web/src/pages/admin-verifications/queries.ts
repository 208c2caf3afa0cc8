import { listVerifications } from '@pennant/contract/admin-verifications.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

const EVERY_MS = 30_000

export const verificationsQuery = queryOptions({
  queryKey: [OWN_KEY, 'verifications'],
  queryFn: ({ signal }) => requestData(listVerifications, {}, { signal }),
  ...refresh(EVERY_MS),
})

export type Verification = Awaited<
  ReturnType<typeof requestData<typeof listVerifications>>
>['verifications'][number]
