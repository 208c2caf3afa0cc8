import { useState } from 'react'
import { serverNow, useTimed } from './clock.ts'

const SECOND_MS = 1000

interface Answer {
  readonly kind: string
  readonly data?: unknown
}

/** After too many tries: the seconds until the next, counted down by the server's clock. */
export function useWait() {
  const [until, setUntil] = useState(0)
  const leftS = useTimed((now) => Math.max(0, Math.ceil((until - now) / SECOND_MS)))
  /** Begins the wait that an answer asks for; says whether it does. */
  const begin = ({ kind, data }: Answer): boolean => {
    if (kind !== 'badRateLimit') return false
    const { timeLeft = SECOND_MS } = (data ?? {}) as { readonly timeLeft?: number }
    setUntil(serverNow() + timeLeft)
    return true
  }
  return { leftS, begin }
}
