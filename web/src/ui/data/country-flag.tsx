import { byLocale } from '../../text/page-locale.ts'
import styles from './data.module.css'
import sprite from './flags.svg?url&no-inline'

const names = byLocale((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }))

/** A country as flag and code. All flags are in one lazily loaded file; the code is always shown as text. */
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
