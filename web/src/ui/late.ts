/** Tells a value once no other came for a while: what is asked for on typing is asked once, not by each key. */
export function late<Value>(tell: (value: Value) => void, restMs: number) {
  let waiting: readonly [Value] | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    waiting = null
  }
  /** What waits is told at once. */
  const flush = () => {
    const now = waiting
    stop()
    if (now) tell(now[0])
  }
  const set = (value: Value) => {
    stop()
    waiting = [value]
    timer = setTimeout(flush, restMs)
  }
  return { set, flush, stop }
}
