/** Nearer moments are now: the clocks of two machines agree no better. */
const NOW_MS = 3000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long ago a moment was, or how far off it is, in the largest unit that is full. */
export function relativeText(ms: number, locale: string, format: Intl.RelativeTimeFormat): string {
  const size = Math.abs(ms)
  if (size < NOW_MS) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
  if (size < MINUTE_MS) return format.format(Math.trunc(ms / 1000), 'second')
  if (size < HOUR_MS) return format.format(Math.trunc(ms / MINUTE_MS), 'minute')
  if (size < DAY_MS) return format.format(Math.trunc(ms / HOUR_MS), 'hour')
  return format.format(Math.trunc(ms / DAY_MS), 'day')
}
