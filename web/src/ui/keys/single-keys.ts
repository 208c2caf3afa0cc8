import { createContext, useContext } from 'react'

const SingleKeys = createContext(true)

/** Provides whether shortcuts without Ctrl or Alt are enabled. */
export const SingleKeysProvider = SingleKeys.Provider

export function useSingleKeys(): boolean {
  return useContext(SingleKeys)
}
