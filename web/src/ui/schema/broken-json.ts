import { createContext, useContext, useLayoutEffect } from 'react'

/** Adds one to, or takes one from, the number of texts that are no JSON. Must stay the same function. */
export type CountBroken = (by: 1 | -1) => void

const Count = createContext<CountBroken>(() => {})

export const BrokenJsonProvider = Count.Provider

/** Tells the form around it that what is typed here is in no value, as long as it stands. */
export function useBrokenJson(isBroken: boolean): void {
  const count = useContext(Count)
  // Before anything else is pressed: a save right after the last letter must know it.
  useLayoutEffect(() => {
    if (!isBroken) return
    count(1)
    return () => count(-1)
  }, [isBroken, count])
}
