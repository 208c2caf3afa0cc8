import { use } from 'react'
import { languageInUse, useLanguage, type Language } from '../state/preferences.ts'

type Loader<Words> = () => Promise<Words>

/** The words of one part of the site: English at hand, other languages when they are wanted. */
export interface Catalogue<Words> {
  readonly english: Words
  /** The words themselves once they are here. */
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
  const loaded = new Map<Language, Words>([['en', english]])
  const loading = new Map<Language, Promise<Words>>()
  return {
    english,
    read(language) {
      const words = loaded.get(language)
      if (words !== undefined || language === 'en') return words ?? english
      const begun = loading.get(language)
      if (begun) return begun
      const promise = others[language]()
        .catch(() => english)
        .then((found) => {
          loaded.set(language, found)
          return found
        })
      loading.set(language, promise)
      return promise
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
