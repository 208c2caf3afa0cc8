import { pageLocale } from '../../text/page-locale.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

/** Formats bytes in the language of the page: `1.5 MB`. */
export function sizeText(bytes: number, locale = pageLocale()): string {
  const at = bytes < STEP ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const unit = UNITS[at] ?? 'byte'
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: at === 0 ? 0 : 1,
  })
  return format.format(bytes / STEP ** at)
}
