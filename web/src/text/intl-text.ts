import { DAY_MS, HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'

/** Shorter differences show as now: two machines' clocks agree no better. */
const NOW_MS = 3000

/** The time since or until a moment, in the largest full unit. */
export function relativeText(ms: number, locale: string, format: Intl.RelativeTimeFormat): string {
  const size = Math.abs(ms)
  if (size < NOW_MS) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
  if (size < MINUTE_MS) return format.format(Math.trunc(ms / 1000), 'second')
  if (size < HOUR_MS) return format.format(Math.trunc(ms / MINUTE_MS), 'minute')
  if (size < DAY_MS) return format.format(Math.trunc(ms / HOUR_MS), 'hour')
  return format.format(Math.trunc(ms / DAY_MS), 'day')
}

/** A number with its plus or minus, which stays before the digits among words that run from right to left. */
export function signedNumber(locale: string): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  return (value) => `\u2066${format.format(value)}\u2069`
}

const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats a number of bytes in steps of 1,024: `1.5 MB`. */
export function sizeText(bytes: number, format: Intl.NumberFormat): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), SIZE_UNITS.length - 1)
  return `${format.format(bytes / 1024 ** step)} ${SIZE_UNITS[step]}`
}

export function sizeNumbers(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
}
