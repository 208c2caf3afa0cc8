import { createContext, useContext } from 'react'
import { ui as english, type UiWords } from '../text/en/ui.ts'

const Words = createContext<UiWords>(english)

/** Gives the components below their words. The root sets it to the catalogue of the language in use. */
export const UiWordsProvider = Words.Provider

/** The components' own words, in the language in use. */
export function useWords(): UiWords {
  return useContext(Words)
}
