import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { serverNow } from './clock.ts'

/** The clock may be corrected meanwhile, and timers overflow at 24 days. */
const LONGEST_STEP_MS = MINUTE_MS

/**
 * Runs a callback at a time of the server's clock; in a hidden tab, when it becomes visible. Returns a cancel
 * function.
 */
export function scheduleAt(at: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    clearTimeout(timer)
    const restMs = at - serverNow()
    if (restMs > 0) timer = setTimeout(check, Math.min(restMs, LONGEST_STEP_MS))
    else if (!document.hidden) end(callback)
  }
  const end = (last?: () => void) => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', check)
    last?.()
  }
  document.addEventListener('visibilitychange', check)
  check()
  return () => end()
}
