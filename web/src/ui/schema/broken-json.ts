import { createContext, useContext, useLayoutEffect } from 'react'

/** Changes the number of fields with invalid JSON by one. The function identity must be stable. */
export type CountBroken = (by: 1 | -1) => void

const Count = createContext<CountBroken>(() => {})

export const BrokenJsonProvider = Count.Provider

/** Reports to the surrounding form that this field contains invalid JSON, which is not part of any value. */
export function useBrokenJson(isBroken: boolean): void {
  const count = useContext(Count)
  // Layout effect, so that a save right after the last keystroke already sees it.
  useLayoutEffect(() => {
    if (!isBroken) return
    count(1)
    return () => count(-1)
  }, [isBroken, count])
}
