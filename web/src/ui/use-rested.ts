import { useEffect, useState } from 'react'

/** How long typing pauses until what was typed is asked for. */
export const TYPING_RESTS_MS = 350

/** The value once it has not changed for a while; until then `first`, which is itself unless named. */
export function useRested<Value>(value: Value, restMs: number, first = value): Value {
  const [rested, setRested] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return rested
}
