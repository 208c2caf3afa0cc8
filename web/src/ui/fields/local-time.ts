/**
 * Converts Unix milliseconds to the value of a `datetime-local` field: `YYYY-MM-DDTHH:MM:SS` in the system's
 * time zone.
 */
export function toLocalText(at: number): string {
  const date = new Date(at)
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]
  const [month, day, hour, minute, second] = parts.map((part) => String(part).padStart(2, '0'))
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Converts such a value to Unix milliseconds; null if it is empty or not a date. */
export function fromLocalText(text: string): number | null {
  // Without a zone, a date with a time is parsed in the system's time zone.
  const at = text.includes('T') ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/**
 * Formats an instant in the user's time zone for the locale, the name of that zone, and the same instant in
 * UTC.
 */
export function echoOf(at: number, locale: string): { local: string; zone: string; utc: string } {
  const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  return { local, zone, utc: new Date(at).toISOString().slice(0, 16).replace('T', ' ') }
}
