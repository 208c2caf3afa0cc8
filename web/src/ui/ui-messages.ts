import { createContext, useContext } from 'react'
import { withCommon } from '../text/catalogue.ts'
import { uiMessages } from '../text/en/ui.ts'

const Messages = createContext(withCommon(uiMessages.english))

/** Provides the UI messages to descendants. The root sets it to the catalogue of the current language. */
export const UiMessagesProvider = Messages.Provider

/** The messages of the UI components, in the current language. */
export function useUiMessages() {
  return useContext(Messages)
}
