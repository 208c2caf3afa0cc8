import { extendInstance, readInstance, startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ask, isGood, send } from '../api/client.ts'
import { ownKey } from '../api/queries.ts'
import { useCaptcha } from '../layout/use-captcha.tsx'
import { NO_ANSWER } from '../text/error-text.ts'
import { useErrorText } from '../text/errors.ts'
import { pollEvery } from './endpoints.ts'

/** With the moment of the answer on a clock that nobody sets: time left counts from it. */
function seenNow<T extends object>(state: T): T & { readonly seenAt: number } {
  return { ...state, seenAt: performance.now() }
}

/** The team's instance of a challenge, as it is now. */
export function instanceQuery(id: string) {
  return queryOptions({
    queryKey: [ownKey, 'instance', id],
    queryFn: async ({ signal }) => seenNow(await ask(readInstance, { params: { id } }, { signal })),
    staleTime: 0,
  })
}

export type SeenInstance = Awaited<ReturnType<NonNullable<ReturnType<typeof instanceQuery>['queryFn']>>>

/** Milliseconds that it lives on; null while it does not run, and for one that does so for ever. */
export function leftOf(state: SeenInstance): number | null {
  const { status, seenAt, timeLeftMilliseconds } = state
  if (status !== 'running' || timeLeftMilliseconds === null) return null
  return timeLeftMilliseconds - (performance.now() - seenAt)
}

/** The team's instance of a challenge: its state, what can be done to it, and what went wrong with the last deed. */
export function useInstance(id: string) {
  const { queryKey } = instanceQuery(id)
  const errorText = useErrorText('change')
  const troubleText = useErrorText()
  const queries = useQueryClient()
  const startCaptcha = useCaptcha('instancerStart')
  const extendCaptcha = useCaptcha('instancerExtend')
  const [busy, setBusy] = useState<'start' | 'extend' | 'stop' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const since = useRef({ status: '', at: 0 })
  const query = useQuery({
    ...instanceQuery(id),
    refetchInterval: ({ state: { data, dataUpdatedAt } }) => {
      if (data && data.status !== since.current.status)
        since.current = { status: data.status, at: dataUpdatedAt }
      return (
        pollEvery(data?.status, data?.timeLeftMilliseconds ?? null, dataUpdatedAt - since.current.at) ?? false
      )
    },
  })

  async function act(deed: 'start' | 'extend' | 'stop') {
    const captcha = deed === 'start' ? startCaptcha : extendCaptcha
    const captchaCode = deed === 'stop' ? undefined : await captcha.getCode()
    if (captchaCode === null) return
    setBusy(deed)
    setProblem(null)
    const request = { params: { id }, body: { ...(captchaCode !== undefined && { captchaCode }) } }
    try {
      const answer =
        deed === 'stop'
          ? await send(stopInstance, { params: { id } })
          : await send(deed === 'start' ? startInstance : extendInstance, request)
      if (answer.kind === 'goodInstanceStatus' && isGood(answer))
        queries.setQueryData(queryKey, seenNow(answer.data))
      else setProblem(errorText(answer))
    } catch {
      setProblem(errorText(NO_ANSWER))
      await queries.invalidateQueries({ queryKey })
    } finally {
      setBusy(null)
    }
  }
  return {
    state: query.data,
    failure: query.error ? troubleText({ kind: 'network', ...query.error }) : null,
    problem,
    busy,
    act: (deed: 'start' | 'extend' | 'stop') => void act(deed),
    gates: [startCaptcha.gate, extendCaptcha.gate] as const,
  }
}
