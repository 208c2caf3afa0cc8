import { useEffect, useRef, useState } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { Dialog } from '../layers/dialog.tsx'
import { ErrorState } from '../states/messages.tsx'
import { useUiMessages } from '../ui-messages.ts'
import type { ProofTask } from '../workers/solve.ts'
import { startWorker } from '../workers/start-worker.ts'
import { drawWidget, isWidgetProvider } from './widgets.ts'

/** Timeout of a captcha. */
const LIMIT_MS = MINUTE_MS

interface CaptchaGateProps {
  readonly open: boolean
  readonly onClose: () => void
  /** Receives the code to put into the request. */
  readonly onCode: (code: string) => void
  /** Provider name from the client configuration, such as `captcha/turnstile`. */
  readonly provider: string
  readonly siteKey?: string | undefined
  /** Fetches a challenge of the self-hosted captcha. */
  readonly fetchTask: () => Promise<ProofTask>
  /** `captchaCodeOf` of the contract, applied to the task and the solution. */
  readonly codeOf: (task: ProofTask, found: number) => string
}

type Failure = 'blocked' | 'late' | 'broken'

/** Asks for a captcha before a protected action. Nothing is loaded before it opens. */
export function CaptchaGate(props: CaptchaGateProps) {
  const messages = useUiMessages()
  const { open, onClose, provider } = props
  return (
    <Dialog open={open} onClose={onClose} title={messages.captchaTitle}>
      {/* Remounted each time it opens, because a code can be used only once. */}
      {open && <Attempts key={provider} {...props} />}
    </Dialog>
  )
}

function Attempts(props: CaptchaGateProps) {
  const messages = useUiMessages()
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  if (failure) {
    const text = {
      blocked: messages.captchaBlocked,
      late: messages.captchaTimeout,
      broken: messages.captchaUnsupported,
    }[failure]
    const retry = () => {
      setFailure(null)
      setAttempt(attempt + 1)
    }
    return <ErrorState onRetry={retry}>{text}</ErrorState>
  }
  return <Attempt key={attempt} {...props} onFailure={setFailure} />
}

function Attempt(props: CaptchaGateProps & { readonly onFailure: (failure: Failure) => void }) {
  const messages = useUiMessages()
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const isWidget = isWidgetProvider(props.provider)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const timer = setTimeout(() => latest.current.onFailure('late'), LIMIT_MS)
    const fail = (failure: Failure) => {
      if (!signal.aborted) latest.current.onFailure(failure)
    }
    const done = (code: string) => {
      clearTimeout(timer)
      if (!signal.aborted) latest.current.onCode(code)
    }
    const { provider, siteKey = '', fetchTask, codeOf } = latest.current
    if (isWidgetProvider(provider)) {
      const handlers = { onCode: done, onFailure: () => fail('blocked') }
      if (place.current)
        drawWidget(place.current, { provider, siteKey }, handlers).catch(() => fail('blocked'))
    } else {
      prove(fetchTask, signal)
        .then(({ task, found }) => done(codeOf(task, found)))
        .catch(() => fail('broken'))
    }
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [])
  return <div ref={place}>{!isWidget && <p role="status">{messages.captchaSolving}</p>}</div>
}

async function prove(fetchTask: () => Promise<ProofTask>, signal: AbortSignal) {
  const task = await fetchTask()
  const found = await solve(task, signal)
  if (found === null) throw new Error('The captcha has no solution')
  return { task, found }
}

async function solve(task: ProofTask, signal: AbortSignal): Promise<number | null> {
  const worker = startWorker('solve')
  if (!worker) return (await import('../workers/solve.ts')).solveInSlices(task, signal)
  signal.addEventListener('abort', () => worker.terminate())
  try {
    return await new Promise<number | null>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<number | null>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The captcha worker failed')))
      worker.postMessage(task)
    })
  } finally {
    worker.terminate()
  }
}
