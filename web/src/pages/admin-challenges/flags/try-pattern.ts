import { useEffect, useState } from 'react'
import { BEGUN, type PatternTask, type PatternVerdict } from '../../../ui/workers/pattern.ts'
import { startWorker } from '../../../ui/workers/start-worker.ts'

/** Ten times what the server gives a pattern: browsers may be slower, and nobody else waits. */
const LIMIT_MS = 500
/** A worker that has not begun by then did not load. */
const START_LIMIT_MS = 10_000

/** `late`: it takes too long. `untried`: this browser starts no worker, and the page itself must not stall. */
type Verdict = PatternVerdict | 'late' | 'untried'

/** Whether the pattern is found in the text; null until that is known, and for no text. */
export function useVerdict({ pattern, flags, text }: PatternTask): Verdict | null {
  const [last, setLast] = useState<{ readonly of: string; readonly verdict: Verdict } | null>(null)
  const key = JSON.stringify([pattern, flags, text])
  useEffect(() => {
    if (text === '') return undefined
    return tryPattern({ pattern, flags, text }, (verdict) => setLast({ of: key, verdict }))
  }, [pattern, flags, text, key])
  return text !== '' && last?.of === key ? last.verdict : null
}

/** Tries it in a worker of its own, which is ended when it takes too long. Gives back what gives it up. */
function tryPattern(task: PatternTask, onVerdict: (verdict: Verdict) => void): () => void {
  const worker = startWorker('pattern')
  const end = () => {
    clearTimeout(timer)
    worker?.terminate()
  }
  const settle = (verdict: Verdict) => {
    end()
    onVerdict(verdict)
  }
  let timer = setTimeout(settle, worker ? START_LIMIT_MS : 0, 'untried')
  worker?.addEventListener('message', ({ data }: MessageEvent<PatternVerdict | typeof BEGUN>) => {
    if (data !== BEGUN) return settle(data)
    clearTimeout(timer)
    timer = setTimeout(settle, LIMIT_MS, 'late')
  })
  worker?.addEventListener('error', () => settle('untried'))
  worker?.postMessage(task)
  return end
}
