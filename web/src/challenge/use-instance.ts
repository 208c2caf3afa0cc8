import { extendInstance, readInstance, startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { requestData, isGood, send } from '../api/client.ts'
import { OWN_KEY } from '../api/queries.ts'
import { useCaptcha } from '../layout/use-captcha.tsx'
import { NO_RESPONSE } from '../text/error-text.ts'
import { useErrorText } from '../text/messages.ts'
import { pollEvery } from './endpoints.ts'

/** Adds the time of the response on a monotonic clock; the remaining lifetime counts from it. */
function seenNow<T extends object>(state: T): T & { readonly seenAt: number } {
  return { ...state, seenAt: performance.now() }
}

/** The current state of the team's instance of a challenge. */
export function instanceQuery(id: string) {
  return queryOptions({
    queryKey: [OWN_KEY, 'instance', id],
    queryFn: async ({ signal }) => seenNow(await requestData(readInstance, { params: { id } }, { signal })),
    staleTime: 0,
  })
}

export type SeenInstance = Awaited<ReturnType<NonNullable<ReturnType<typeof instanceQuery>['queryFn']>>>

/** Remaining lifetime in milliseconds; null if the instance does not run or has no end. */
export function remainingMs(state: SeenInstance): number | null {
  const { status, seenAt, timeLeftMilliseconds } = state
  if (status !== 'running' || timeLeftMilliseconds === null) return null
  return timeLeftMilliseconds - (performance.now() - seenAt)
}

export type InstanceAction = 'start' | 'extend' | 'stop'

interface Sent {
  readonly name: InstanceAction
  readonly captchaCode: string | undefined
}

/** The team's instance of a challenge: its state, the available actions, and the error of the last action. */
export function useInstance(id: string) {
  const { queryKey } = instanceQuery(id)
  const errorText = useErrorText('change')
  const failureText = useErrorText()
  const queries = useQueryClient()
  const startCaptcha = useCaptcha('instancerStart')
  const extendCaptcha = useCaptcha('instancerExtend')
  const action = useMutation({
    mutationFn: ({ name, captchaCode }: Sent) => {
      if (name === 'stop') return send(stopInstance, { params: { id } })
      const body = captchaCode === undefined ? {} : { captchaCode }
      return send(name === 'start' ? startInstance : extendInstance, { params: { id }, body })
    },
    onSuccess: (response, { name }) => {
      if (response.kind === 'goodInstanceStatus') queries.setQueryData(queryKey, seenNow(response.data))
      // A read during the start showed "starting", which a refused start never was.
      else if (name === 'start') void queries.resetQueries({ queryKey })
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  })
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

  async function act(name: InstanceAction) {
    const captcha = name === 'start' ? startCaptcha : extendCaptcha
    const captchaCode = name === 'stop' ? undefined : await captcha.getCode()
    if (captchaCode !== null) action.mutate({ name, captchaCode })
  }
  const refusal = action.error ? NO_RESPONSE : action.data && !isGood(action.data) ? action.data : null
  return {
    state: query.data,
    failure: query.error ? failureText({ kind: 'network', ...query.error }) : null,
    problem: refusal && errorText(refusal),
    pending: action.isPending ? action.variables.name : null,
    act: (name: InstanceAction) => void act(name),
    gates: [startCaptcha.gate, extendCaptcha.gate] as const,
  }
}
