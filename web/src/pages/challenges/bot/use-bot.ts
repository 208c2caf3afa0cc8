import { listAdminBotJobs, readAdminBotJob, submitAdminBotJob } from '@pennant/contract/admin-bot.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { requestData, isGood, send } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { useCaptcha } from '../../../layout/use-captcha.tsx'
import { useWait } from '../../../state/use-wait.ts'
import { NO_RESPONSE } from '../../../text/error-text.ts'
import { useErrorText } from '../../../text/messages.ts'

const LOOK_MS = 2_000
/** After this time, a running job is polled less often. */
const LONG_MS = MINUTE_MS
const LONG_LOOK_MS = 5_000

interface Submission {
  readonly inputs: Readonly<Record<string, string>>
  readonly captchaCode: string | undefined
}

/** The team's admin bot jobs for one challenge. */
export function useBot(id: string) {
  const key = [OWN_KEY, 'bot', id]
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const captcha = useCaptcha('adminBotSubmit')
  const wait = useWait()
  /** Jobs submitted in this tab; others come from teammates. */
  const [sentIds, setSentIds] = useState<readonly string[]>([])
  const { active, jobs } = useJobs(id)

  const submission = useMutation({
    mutationFn: ({ inputs, captchaCode }: Submission) => {
      const body = { inputs: { ...inputs }, ...(captchaCode !== undefined && { captchaCode }) }
      return send(submitAdminBotJob, { params: { id }, body })
    },
    onSuccess: (response) => {
      if (response.kind === 'goodAdminBotJobSubmitted') setSentIds((ids) => [...ids, response.data.jobId])
      else wait.begin(response)
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: key }),
  })

  async function submit(inputs: Submission['inputs']) {
    const captchaCode = await captcha.getCode()
    if (captchaCode !== null) submission.mutate({ inputs, captchaCode })
  }
  const { data } = submission
  const refused = data && !isGood(data) && data.kind !== 'badRateLimit' ? data : null
  const reason = refused?.data && 'error' in refused.data ? refused.data.error : undefined
  const refusal = submission.error ? NO_RESPONSE : refused
  return {
    job: active,
    isOwn: active !== null && sentIds.includes(active.id),
    /** The last job submitted here, once it has ended. */
    ended: active ? undefined : jobs.find(({ id: ended }) => ended === sentIds.at(-1)),
    jobs,
    waitS: wait.leftS,
    needsInstance: refused?.kind === 'badInstancerState',
    submit,
    isSending: submission.isPending,
    problem: typeof reason === 'string' ? reason : refusal && errorText(refusal),
    gate: captcha.gate,
  }
}

/** The team's running job and its finished ones. */
function useJobs(id: string) {
  const key = [OWN_KEY, 'bot', id]
  const queries = useQueryClient()
  const since = useRef({ id: '', at: 0 })
  const job = useQuery({
    queryKey: [...key, 'job'],
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<{ job: unknown }>([...key, 'job'])
      const now = await requestData(readAdminBotJob, { params: { id } }, { signal })
      // A job that has just ended is now in the history.
      if (before?.job && !now.job) void queries.invalidateQueries({ queryKey: [...key, 'history'] })
      return now
    },
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdatedAt } }) => {
      if (!data?.job) return false
      if (since.current.id !== data.job.id) since.current = { id: data.job.id, at: dataUpdatedAt }
      return dataUpdatedAt - since.current.at < LONG_MS ? LOOK_MS : LONG_LOOK_MS
    },
  })
  const history = useQuery({
    queryKey: [...key, 'history'],
    queryFn: ({ signal }) => requestData(listAdminBotJobs, { params: { id } }, { signal }),
    staleTime: 0,
  })
  return { active: job.data?.job ?? null, jobs: history.data?.jobs ?? [] }
}
