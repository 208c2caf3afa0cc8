// Instants as Unix microseconds.

const POSTGRES =
  /^(\d{4,5})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?$/
const NAIVE = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|\+00:?00)?$/

const LAST_YEAR = 9999
const MICROS_PER_SECOND = 1_000_000

/** A `timestamptz` in PostgreSQL's ISO format; null if it is none, or outside of the years 1970 to 9999. */
export function readPostgresInstant(text: string): number | null {
  const match = POSTGRES.exec(text)
  if (!match) return null
  const [, , , , , , , fraction = '', sign, hours = '0', minutes = '0', seconds = '0'] = match
  const local = secondsOf(match)
  if (local === null) return null
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return inRange((local + (sign === '-' ? offset : -offset)) * MICROS_PER_SECOND + microsOf(fraction))
}

/** ISO 8601 without a time zone, which is UTC, with any number of digits after the second. */
export function readNaiveInstant(text: string): number | null {
  const match = NAIVE.exec(text)
  const seconds = match && secondsOf(match)
  return seconds === null ? null : inRange(seconds * MICROS_PER_SECOND + microsOf(match?.[7] ?? ''))
}

function secondsOf([, year, month, day, hour, minute, second = '0']: readonly (string | undefined)[]):
  | number
  | null {
  if (Number(year) > LAST_YEAR) return null
  const date = [Number(year), Number(month) - 1, Number(day)] as const
  const midnight = new Date(Date.UTC(...date))
  if (midnight.getUTCMonth() !== date[1] || midnight.getUTCDate() !== date[2]) return null
  return midnight.getTime() / 1000 + (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
}

function microsOf(fraction: string): number {
  return Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function inRange(instant: number): number | null {
  return instant >= 0 ? instant : null
}

/** For PostgreSQL. */
export function microsText(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString()
  return `${text.slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`
}

export function millisOf(micros: number): number {
  return Math.floor(micros / 1000)
}
