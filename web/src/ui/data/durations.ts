const SECOND = 1000
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Splits a duration, rounded up to whole seconds: it shows 0 only when the time is over. */
export function partsOf(ms: number): { days: number; hours: number; minutes: number; seconds: number } {
  const left = Math.max(0, Math.ceil(ms / SECOND))
  return {
    days: Math.floor(left / DAY),
    hours: Math.floor((left % DAY) / HOUR),
    minutes: Math.floor((left % HOUR) / MINUTE),
    seconds: left % MINUTE,
  }
}

/** Formats `4:12` or `1:04:12`; with a word for days `2 d 04:12:09`, always including hours. */
export function clockText(ms: number, days?: (count: number) => string): string {
  const parts = partsOf(ms)
  const tail = `${two(parts.minutes)}:${two(parts.seconds)}`
  if (days) return `${parts.days > 0 ? `${days(parts.days)} ` : ''}${two(parts.hours)}:${tail}`
  const hours = parts.days * 24 + parts.hours
  return hours > 0 ? `${hours}:${tail}` : `${parts.minutes}:${two(parts.seconds)}`
}

function two(count: number): string {
  return String(count).padStart(2, '0')
}
