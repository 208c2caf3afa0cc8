import { pageLimits } from '@pennant/contract/pages.ts'
import type { AdminPage } from './queries.ts'

export const places = ['menu', 'footer', 'none'] as const

export interface DraftText {
  readonly language: string
  readonly title: string
  readonly content: string
}

/** The fields of the form. */
export interface Draft {
  readonly slug: string
  readonly place: (typeof places)[number]
  readonly published: boolean
  readonly mustAccept: boolean
  /** The first is the default. */
  readonly texts: readonly DraftText[]
}

export const emptyDraft: Draft = {
  slug: '',
  place: 'footer',
  published: false,
  mustAccept: false,
  texts: [{ language: 'en', title: '', content: '' }],
}

export function draftOf({ slug, place, published, mustAccept, texts }: Omit<AdminPage, 'id'>): Draft {
  return { slug, place, published, mustAccept, texts }
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/

/** The server also refuses reserved ones. */
export const isSlug = (text: string) => text.length <= 64 && SLUG.test(text)

/** The tag in its usual form; null if it is none. */
export function languageTag(text: string): string | null {
  if (!LANGUAGE.test(text)) return null
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}

/** The first text without a title, or null. */
export function untitled({ texts }: Draft): DraftText | null {
  return texts.find(({ title }) => title.trim() === '') ?? null
}

/** Characters too many in all languages together; 0 if they fit. */
export function excessOf({ texts }: Draft): number {
  return Math.max(0, texts.reduce((sum, { content }) => sum + content.length, 0) - pageLimits.total)
}
