import { serverNow } from './clock.ts'

/** The clock may be corrected meanwhile, and timers end at 24 days. */
const LONGEST_STEP_MS = 60_000

/** Does something at an instant of the server's clock; in a hidden tab when somebody looks again. Returns what calls it off. */
export function atMoment(moment: number, deed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    const restMs = moment - serverNow()
    if (restMs > 0) timer = setTimeout(look, Math.min(restMs, LONGEST_STEP_MS))
    else if (!document.hidden) end(deed)
  }
  const end = (last?: () => void) => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    last?.()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => end()
}
