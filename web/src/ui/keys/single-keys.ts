import { createContext, useContext } from 'react'

const SingleKeys = createContext(true)

/** Around the page: whether keys without Ctrl or Alt do anything. */
export const SingleKeysProvider = SingleKeys.Provider

export function useSingleKeys(): boolean {
  return useContext(SingleKeys)
}
