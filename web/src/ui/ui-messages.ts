import { createContext, useContext } from 'react'
import { uiMessages, type UiMessages } from '../text/en/ui.ts'

const Messages = createContext<UiMessages>(uiMessages.english)

/** Provides the UI messages to descendants. The root sets it to the catalogue of the current language. */
export const UiMessagesProvider = Messages.Provider

/** The messages of the UI components, in the current language. */
export function useUiMessages(): UiMessages {
  return useContext(Messages)
}
