import { useState } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { serverNow, useTimed } from './clock.ts'

interface LimitedResult {
  readonly kind: string
  readonly data?: unknown
}

/** Countdown in seconds until the next attempt is allowed, by the server's clock. */
export function useWait() {
  const [until, setUntil] = useState(0)
  const leftS = useTimed((now) => Math.max(0, Math.ceil((until - now) / SECOND_MS)))
  /** Starts the countdown if the response asks for one; returns whether it did. */
  const begin = ({ kind, data }: LimitedResult): boolean => {
    if (kind !== 'badRateLimit') return false
    const { timeLeft = SECOND_MS } = (data ?? {}) as { readonly timeLeft?: number }
    setUntil(serverNow() + timeLeft)
    return true
  }
  return { leftS, begin }
}
