import type { Language } from '../state/preferences.ts'

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

/** Loads the registry of a language, whose entries load one catalogue each. */
type Registry = () => Promise<Readonly<Record<string, () => Promise<unknown>>>>

/**
 * Creates the function that returns a catalogue's messages in a language. It returns the same promise each
 * time while a language is loading: React requires that to resume. A language that does not load falls back
 * to English.
 */
export function createReader(others: { readonly [Name in Exclude<Language, 'en'>]: Registry }) {
  const loads = new Map<string, Promise<unknown>>()

  return function read<Messages>(of: Catalogue<string, Messages>, language: Language) {
    if (language === 'en') return of.english
    const key = `${language} ${of.name}`
    const known = loads.get(key) as Promise<Messages> | undefined
    if (known) return known
    const messages = load(of, others[language])
    loads.set(key, messages)
    // React reads these fields: loaded messages are then available in the first render.
    void messages.then((value) => Object.assign(messages, { status: 'fulfilled', value }))
    return messages
  }
}

async function load<Messages>({ name, english }: Catalogue<string, Messages>, registry: Registry) {
  try {
    const loaders = await registry()
    return (await loaders[name]?.()) as Messages
  } catch {
    return english
  }
}
