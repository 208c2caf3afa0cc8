import type { Language } from '../state/preferences.ts'
import { commonTexts, type CommonTexts } from './en/common.ts'

/** The messages of one part of the site. English is bundled with the code that imports the catalogue. */
export interface Catalogue<Name extends string, Messages> {
  /** The catalogue's key in the registry of each other language, such as `german.ts`. */
  readonly name: Name
  readonly english: Messages
}

export function catalogue<Name extends string, Messages>(
  name: Name,
  english: Messages,
): Catalogue<Name, Messages> {
  return { name, english }
}

/** The messages of a catalogue, and the common texts of which it has no own version. */
export type WithCommon<Messages> = Messages & Omit<CommonTexts, keyof Messages>

export function withCommon<Messages>(messages: Messages, common: CommonTexts = commonTexts) {
  return { ...common, ...messages } as WithCommon<Messages>
}

/** Loads the registry of a language, whose entries load one catalogue each. */
type Registry = () => Promise<
  { readonly common: () => Promise<CommonTexts> } & Readonly<Record<string, () => Promise<unknown>>>
>

/**
 * Creates the function that returns a catalogue's messages in a language. It returns the same promise each
 * time while a language is loading: React requires that to resume. A language that does not load falls back
 * to English.
 */
export function createReader(others: { readonly [Name in Exclude<Language, 'en'>]: Registry }) {
  const loads = new Map<string, unknown>()

  return function read<Messages>(of: Catalogue<string, Messages>, language: Language) {
    const key = `${language} ${of.name}`
    const known = loads.get(key) as WithCommon<Messages> | Promise<WithCommon<Messages>> | undefined
    if (known) return known
    const messages = language === 'en' ? withCommon(of.english) : load(of, others[language])
    loads.set(key, messages)
    if (messages instanceof Promise) {
      // React reads these fields: loaded messages are then available in the first render.
      void messages.then((value) => Object.assign(messages, { status: 'fulfilled', value }))
    }
    return messages
  }
}

async function load<Messages>({ name, english }: Catalogue<string, Messages>, registry: Registry) {
  try {
    const loaders = await registry()
    return withCommon((await loaders[name]?.()) as Messages, await loaders.common())
  } catch {
    return withCommon(english)
  }
}
