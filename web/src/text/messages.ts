import { use } from 'react'
import { languageInUse, useLanguage } from '../state/preferences.ts'
import { createReader, type Catalogue } from './catalogue.ts'
import type { german } from './german.ts'

type CatalogueName = keyof typeof german
type MessagesOf<Name extends CatalogueName> = Awaited<ReturnType<(typeof german)[Name]>>

const read = createReader({ de: async () => (await import('./german.ts')).german })

/** The messages of a catalogue in the current language. Suspends while they load. */
export function useMessages<Name extends CatalogueName>(
  of: Catalogue<Name, MessagesOf<Name>>,
): MessagesOf<Name> {
  const messages = read(of, useLanguage())
  return messages instanceof Promise ? use(messages) : messages
}

/** Call before the first render: otherwise the frame would suspend and blank the page. */
export async function loadMessages<Name extends CatalogueName>(
  of: Catalogue<Name, MessagesOf<Name>>,
): Promise<void> {
  await read(of, languageInUse())
}
