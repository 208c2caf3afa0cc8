import { listAdminBotJobs, readAdminBotJob, submitAdminBotJob } from '@pennant/contract/admin-bot.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ask, send } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { useWait } from '../../state/use-wait.ts'
import { NO_ANSWER } from '../../text/error-text.ts'
import { useErrorText } from '../../text/errors.ts'

const LOOK_MS = 2_000
/** A job that takes longer is looked at less often. */
const LONG_MS = 60_000
const LONG_LOOK_MS = 5_000

/** The team's visits of the admin bot to one challenge. */
export function useBot(id: string) {
  const key = [ownKey, 'bot', id]
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const captcha = useCaptcha('adminBotSubmit')
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [needsInstance, setNeedsInstance] = useState(false)
  const wait = useWait()
  /** Of jobs that were sent from here: others are a team mate's. */
  const [sentIds, setSentIds] = useState<readonly string[]>([])
  const { active, jobs } = useJobs(id)

  async function submit(inputs: Readonly<Record<string, string>>) {
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    setSending(true)
    setProblem(null)
    setNeedsInstance(false)
    try {
      const body = { inputs: { ...inputs }, ...(captchaCode !== undefined && { captchaCode }) }
      const answer = await send(submitAdminBotJob, { params: { id }, body })
      if (answer.kind === 'goodAdminBotJobSubmitted') setSentIds((ids) => [...ids, answer.data.jobId])
      else if (!wait.begin(answer)) {
        const said = answer.data && 'error' in answer.data ? answer.data.error : undefined
        setProblem(typeof said === 'string' ? said : errorText(answer))
        setNeedsInstance(answer.kind === 'badInstancerState')
      }
    } catch {
      setProblem(errorText(NO_ANSWER))
    } finally {
      setSending(false)
      await queries.invalidateQueries({ queryKey: key })
    }
  }
  return {
    job: active,
    isOwn: active !== null && sentIds.includes(active.id),
    /** The last that was sent from here, when it is over. */
    ended: active ? undefined : jobs.find(({ id: ended }) => ended === sentIds.at(-1)),
    jobs,
    waitS: wait.leftS,
    needsInstance,
    submit,
    isSending,
    problem,
    gate: captcha.gate,
  }
}

/** The team's job under way, and those that are over. */
function useJobs(id: string) {
  const key = [ownKey, 'bot', id]
  const queries = useQueryClient()
  const since = useRef({ id: '', at: 0 })
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
    refetchInterval: ({ state: { data, dataUpdatedAt } }) => {
      if (!data?.job) return false
      if (since.current.id !== data.job.id) since.current = { id: data.job.id, at: dataUpdatedAt }
      return dataUpdatedAt - since.current.at < LONG_MS ? LOOK_MS : LONG_LOOK_MS
    },
  })
  const history = useQuery({
    queryKey: [...key, 'history'],
    queryFn: ({ signal }) => ask(listAdminBotJobs, { params: { id } }, { signal }),
    staleTime: 0,
  })
  return { active: job.data?.job ?? null, jobs: history.data?.jobs ?? [] }
}
