import { useMemo } from 'react'
import { useLanguage } from '../state/preferences.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Numbers and times as the language writes them. Instants are Unix milliseconds, shown in the browser's zone. */
export interface Format {
  number(value: number): string
  bytes(value: number): string
  time(at: number): string
  date(at: number): string
  dateTime(at: number): string
  utc(at: number): string
  /** `3 hours ago`, `in 5 minutes`. */
  relative(at: number, now: number): string
  list(items: readonly string[]): string
}

export function createFormat(language: string): Format {
  // The browser's own region, when it speaks this language: 24 hours in one place, 12 in another.
  const locale = navigator.languages.find((name) => name.startsWith(language)) ?? language
  const number = new Intl.NumberFormat(locale)
  const bytes = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const utc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const list = new Intl.ListFormat(locale)
  return {
    number: (value) => number.format(value),
    bytes: (value) => sizeText(value, bytes),
    time: (at) => time.format(at),
    date: (at) => date.format(at),
    dateTime: (at) => dateTime.format(at),
    utc: (at) => `${utc.format(at)} UTC`,
    relative: (at, now) => relativeText(at - now, relative),
    list: (items) => list.format(items),
  }
}

function relativeText(ms: number, format: Intl.RelativeTimeFormat): string {
  const size = Math.abs(ms)
  if (size < MINUTE_MS) return format.format(Math.trunc(ms / 1000), 'second')
  if (size < HOUR_MS) return format.format(Math.trunc(ms / MINUTE_MS), 'minute')
  if (size < DAY_MS) return format.format(Math.trunc(ms / HOUR_MS), 'hour')
  return format.format(Math.trunc(ms / DAY_MS), 'day')
}

function sizeText(value: number, format: Intl.NumberFormat): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = value < 1 ? 0 : Math.min(Math.floor(Math.log(value) / Math.log(1024)), units.length - 1)
  return `${format.format(value / 1024 ** step)} ${units[step]}`
}

export function useFormat(): Format {
  const language = useLanguage()
  return useMemo(() => createFormat(language), [language])
}
