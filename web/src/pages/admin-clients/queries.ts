import { listExternalAuthClients } from '@pennant/contract/external-auth.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'

export const clientsQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-clients'],
  queryFn: ({ signal }) => requestData(listExternalAuthClients, {}, { signal }),
  ...refresh(null),
})

export type Client = Awaited<ReturnType<typeof requestData<typeof listExternalAuthClients>>>[number]
