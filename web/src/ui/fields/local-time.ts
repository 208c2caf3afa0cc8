/** Converts Unix milliseconds to `2026-11-28 18:00` in the system's time zone, with seconds unless they are 0. */
export function toLocalText(at: number): string {
  const date = new Date(at)
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())]
  const time = [two(date.getHours()), two(date.getMinutes())]
  return `${day.join('-')} ${[...time, ...(date.getSeconds() === 0 ? [] : [two(date.getSeconds())])].join(':')}`
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

const DATE_TIME = /^(\d{4})-(\d\d?)-(\d\d?)(?: +| ?T ?)(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/
const ZONE = / *(?:Z|UTC|[+-]\d\d:?\d\d)$/i

/**
 * Converts what someone typed or pasted to Unix milliseconds: null if it is empty, NaN if it is not a complete date
 * with a time. Without `Z` or an offset it is a time of the system's zone.
 */
export function fromLocalText(typed: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  const zone = ZONE.exec(text)?.[0].trim() ?? ''
  const parts = DATE_TIME.exec(text.slice(0, text.length - zone.length).trimEnd())
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return Number.NaN
  if (day < 1 || day > new Date(year, month, 0).getDate()) return Number.NaN
  if (zone === '') return new Date(year, month - 1, day, hour, minute, second).getTime()
  const [, sign, offsetHours = '0', offsetMinutes = '0'] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? []
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  return Date.UTC(year, month - 1, day, hour, minute - offset, second)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** The two largest units of a duration that are not 0, as `1 day 5 hr`; minutes at least. */
export function durationText(ms: number, locale: string): string {
  let left = Math.round(Math.abs(ms) / 60_000) * 60_000
  const counts = UNITS.map(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return { unit, count }
  })
  const first = Math.max(
    0,
    counts.findIndex(({ count }) => count > 0),
  )
  const shown = counts.slice(first, first + 2).filter(({ count }) => count > 0)
  return (shown.length > 0 ? shown : counts.slice(-1))
    .map(({ unit, count }) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'day' ? 'long' : 'short',
      }).format(count),
    )
    .join(' ')
}

/** The system's time zone and the same instant in UTC; null where both read the same. */
export function zoneOf(at: number): { readonly zone: string; readonly utc: string } | null {
  if (new Date(at).getTimezoneOffset() === 0) return null
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  return { zone, utc: new Date(at).toISOString().slice(0, 16).replace('T', ' ') }
}
