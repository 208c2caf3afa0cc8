import { byLocale } from '../page-locale.ts'
import styles from './data.module.css'
import sprite from './flags.svg?url&no-inline'

const names = byLocale((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }))

/** A country by flag and code. The flags come as one file, with the first that is shown; the code is always text. */
export function CountryFlag({ code }: { readonly code: string }) {
  if (!/^[A-Za-z]{2}$/.test(code)) return null
  const upper = code.toUpperCase()
  return (
    <span className={styles.country} title={names().of(upper)}>
      <svg aria-hidden="true" width={18} height={12} viewBox="0 0 108 72">
        <use href={`${sprite}#${upper}`} />
      </svg>
      {upper}
    </span>
  )
}
