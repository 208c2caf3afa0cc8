import { listAdminBotJobs, readAdminBotJob, submitAdminBotJob } from '@pennant/contract/admin-bot.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, send } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { useErrorText } from '../../text/errors.ts'

const LOOK_MS = 2_000
const MESSAGE_OF_NETWORK = { kind: 'network', message: '' }

/** The team's visits of the admin bot to one challenge. */
export function useBot(id: string) {
  const key = [ownKey, 'bot', id]
  const errorText = useErrorText()
  const queries = useQueryClient()
  const captcha = useCaptcha('adminBotSubmit')
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const job = useQuery({
    queryKey: [...key, 'job'],
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<{ job: unknown }>([...key, 'job'])
      const now = await ask(readAdminBotJob, { params: { id } }, { signal })
      // What has just ended is in the history from now on.
      if (before?.job && !now.job) void queries.invalidateQueries({ queryKey: [...key, 'history'] })
      return now
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.job ? LOOK_MS : false),
  })
  const history = useQuery({
    queryKey: [...key, 'history'],
    queryFn: ({ signal }) => ask(listAdminBotJobs, { params: { id } }, { signal }),
    staleTime: 0,
  })

  async function submit(inputs: Readonly<Record<string, string>>) {
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    setSending(true)
    setProblem(null)
    try {
      const body = { inputs: { ...inputs }, ...(captchaCode !== undefined && { captchaCode }) }
      const answer = await send(submitAdminBotJob, { params: { id }, body })
      if (answer.kind !== 'goodAdminBotJobSubmitted') {
        const said = answer.data && 'error' in answer.data ? answer.data.error : undefined
        setProblem(typeof said === 'string' ? said : errorText(answer))
      }
    } catch {
      setProblem(errorText(MESSAGE_OF_NETWORK))
    } finally {
      setSending(false)
      await queries.invalidateQueries({ queryKey: key })
    }
  }
  return {
    job: job.data?.job ?? null,
    jobs: history.data?.jobs ?? [],
    submit,
    isSending,
    problem,
    gate: captcha.gate,
  }
}
