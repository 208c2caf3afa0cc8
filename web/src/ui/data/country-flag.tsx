import styles from './data.module.css'
import sprite from './flags.svg?url&no-inline'

/** A country by flag and code. The flags come as one file, with the first that is shown; the code is always text. */
export function CountryFlag({ code }: { readonly code: string }) {
  if (!/^[A-Za-z]{2}$/.test(code)) return null
  const upper = code.toUpperCase()
  return (
    <span className={styles.country} title={nameOf(upper)}>
      <svg aria-hidden="true" width={18} height={12}>
        <use href={`${sprite}#${upper}`} />
      </svg>
      {upper}
    </span>
  )
}

function nameOf(code: string): string | undefined {
  return new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' }).of(code)
}
