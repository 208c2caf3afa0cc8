import { use } from 'react'
import { languageInUse, useLanguage, type Language } from '../state/preferences.ts'

type Loader<Words> = () => Promise<Words>

/** The words of one part of the site: English at hand, other languages when they are wanted. */
export interface Catalogue<Words> {
  readonly english: Words
  /** Of another language the same promise each time: React wants a component that waited to ask again as it did. */
  read(language: Language): Words | Promise<Words>
}

/**
 * Makes the catalogue of one page folder or of the frame. A language that does not load leaves English.
 * `catalogue(challenges, { de: async () => (await import('../../text/de/challenges.ts')).challenges })`
 */
export function catalogue<Words>(
  english: Words,
  others: { readonly [Name in Exclude<Language, 'en'>]: Loader<Words> },
): Catalogue<Words> {
  const begun = new Map<Language, Promise<Words>>()
  return {
    english,
    read(language) {
      if (language === 'en') return english
      const known = begun.get(language)
      if (known) return known
      const words = others[language]().catch(() => english)
      begun.set(language, words)
      // As React notes it: known words are then there at once, in the first render already.
      void words.then((value) => Object.assign(words, { status: 'fulfilled', value }))
      return words
    },
  }
}

/** The words of a catalogue in the language in use. Suspends while they are on their way. */
export function useText<Words>(of: Catalogue<Words>): Words {
  const words = of.read(useLanguage())
  return words instanceof Promise ? use(words) : words
}

/** Before the first render: without it the frame would suspend and blank the page. */
export async function loadText(of: Catalogue<unknown>): Promise<void> {
  await of.read(languageInUse())
}
