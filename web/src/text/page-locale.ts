/** Returns the browser's regional variant of a language if there is one, for example for 12 or 24 hours. */
export function localeOf(language: string): string {
  return navigator.languages.find((name) => name.startsWith(language) && isValid(name)) ?? language
}

/** Browsers report tags that their own formatters refuse, such as `en_US`. */
function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** Like `localeOf`, for the language of the page. */
export function pageLocale(): string {
  return localeOf(document.documentElement.lang)
}

/**
 * Caches a formatter until the language changes, because formatters are expensive and hundreds of rows use
 * them.
 */
export function byLocale<Maker>(make: (locale: string) => Maker): () => Maker {
  let last: { readonly locale: string; readonly maker: Maker } | undefined
  return () => {
    const locale = pageLocale()
    if (last?.locale !== locale) last = { locale, maker: make(locale) }
    return last.maker
  }
}
