/** A language in the browser's own region, when it speaks it: 24 hours in one place, 12 in another. */
export function localeOf(language: string): string {
  return navigator.languages.find((name) => name.startsWith(language)) ?? language
}

/** As `localeOf`, for the language of the page. */
export function pageLocale(): string {
  return localeOf(document.documentElement.lang)
}

/** Makers of texts are dear, and hundreds of rows want them: one is kept until the language changes. */
export function byLocale<Maker>(make: (locale: string) => Maker): () => Maker {
  let last: { readonly locale: string; readonly maker: Maker } | undefined
  return () => {
    const locale = pageLocale()
    if (last?.locale !== locale) last = { locale, maker: make(locale) }
    return last.maker
  }
}
