import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../layers/dialog.tsx'
import { ErrorState } from '../states/messages.tsx'
import { useWords } from '../words.ts'
import type { ProofTask } from '../workers/solve.ts'
import { startWorker } from '../workers/start-worker.ts'
import { drawWidget, isWidgetProvider } from './widgets.ts'

/** So long a captcha may take. */
const LIMIT_MS = 60_000

interface CaptchaGateProps {
  readonly open: boolean
  readonly onClose: () => void
  /** What goes into the request. */
  readonly onCode: (code: string) => void
  /** As the client configuration names it: `captcha/turnstile`, and so on. */
  readonly provider: string
  readonly siteKey?: string | undefined
  /** Fetches a task of the self-hosted captcha. */
  readonly fetchTask: () => Promise<ProofTask>
  /** `captchaCodeOf` of the contract, of the task and the number found. */
  readonly codeOf: (task: ProofTask, found: number) => string
}

type Failure = 'blocked' | 'late' | 'broken'

/** Asks for a captcha before a protected action. Nothing is loaded before it opens. */
export function CaptchaGate(props: CaptchaGateProps) {
  const words = useWords()
  const { open, onClose, provider } = props
  return (
    <Dialog open={open} onClose={onClose} title={words.captchaTitle}>
      {/* Mounted anew each time it opens: a code is good once. */}
      {open && <Attempts key={provider} {...props} />}
    </Dialog>
  )
}

function Attempts(props: CaptchaGateProps) {
  const words = useWords()
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  if (failure) {
    const text = { blocked: words.captchaBlocked, late: words.captchaLate, broken: words.captchaBroken }[
      failure
    ]
    const retry = () => {
      setFailure(null)
      setAttempt(attempt + 1)
    }
    return <ErrorState onRetry={retry}>{text}</ErrorState>
  }
  return <Attempt key={attempt} {...props} onFailure={setFailure} />
}

function Attempt(props: CaptchaGateProps & { readonly onFailure: (failure: Failure) => void }) {
  const words = useWords()
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
  return <div ref={place}>{!isWidget && <p role="status">{words.captchaSolving}</p>}</div>
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
