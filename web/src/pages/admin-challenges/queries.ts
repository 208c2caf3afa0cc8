import {
  listAdminChallengesV2,
  putChallengeV2,
  readAdminChallengeV2,
} from '@pennant/contract/admin-challenges.ts'
import { readInstancerSchema } from '@pennant/contract/instances.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'
import type { AdminChallenge, Body } from './draft.ts'

export const EVERY_MS = 30_000

export const challengesKey = [OWN_KEY, 'admin-challenges'] as const

export const allChallengesQuery = queryOptions({
  queryKey: challengesKey,
  queryFn: ({ signal }): Promise<readonly AdminChallenge[]> =>
    requestData(listAdminChallengesV2, {}, { signal }),
  ...refresh(EVERY_MS),
})

/** One challenge with its solve count. Fetched when opened, never refetched while it is being edited. */
export function oneChallengeQuery(id: string) {
  return queryOptions({
    queryKey: [...challengesKey, id],
    queryFn: ({ signal }) => requestData(readAdminChallengeV2, { params: { id } }, { signal }),
    ...refresh(null),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** The instancers with their schemas, for `config.instancerEnabled` only. The parts of the page do not repeat its failure. */
export const instancersQuery = queryOptions({
  queryKey: [OWN_KEY, 'instancer-schema'],
  queryFn: ({ signal }) => requestData(readInstancerSchema, {}, { signal }),
  ...refresh(null),
})

export function writeChallenge(id: string, data: Body) {
  return send(putChallengeV2, { params: { id }, body: { data } })
}
