import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { listWaves } from '@pennant/contract/waves.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { refresh } from '../../state/live.ts'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useMessages } from '../../text/messages.ts'

export const wavesQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-waves'],
  queryFn: async ({ signal }) => (await requestData(listWaves, {}, { signal })).waves,
  ...refresh(MINUTE_MS),
})

/** The same entry of the cache as the challenge editor's. */
const challengesKey = [OWN_KEY, 'admin-challenges'] as const

export const allChallengesQuery = queryOptions({
  queryKey: challengesKey,
  queryFn: ({ signal }) => requestData(listAdminChallengesV2, {}, { signal }),
  ...refresh(MINUTE_MS),
})

type List = Awaited<ReturnType<typeof requestData<typeof listWaves>>>['waves']
export type Wave = List[number]

/** The outcome of a change: the failure as text, and whether it can be confirmed. */
export interface Change {
  readonly failure: string | null
  readonly needsForce: boolean
}

/** Returns a function that awaits a change and then reads waves and challenges again. */
export function useChange() {
  const { errors } = useMessages(adminWavesMessages)
  const failureMessage = useFailureMessage()
  const queries = useQueryClient()
  return async (sent: Promise<{ kind: string; message: string }>): Promise<Change> => {
    let kind = ''
    const failure = await failureMessage(
      sent.then((response) => {
        ;({ kind } = response)
        return response
      }),
    )
    await queries.invalidateQueries({ queryKey: wavesQuery.queryKey })
    await queries.invalidateQueries({ queryKey: challengesKey })
    const own = Object.hasOwn(errors, kind) ? errors[kind as keyof typeof errors] : failure
    return { failure: failure === null ? null : own, needsForce: kind === 'badWaveReleased' }
  }
}
