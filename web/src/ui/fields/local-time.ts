/** The value of a `datetime-local` field, `YYYY-MM-DDTHH:MM:SS` in the system's zone, for unix milliseconds. */
export function toLocalText(at: number): string {
  const date = new Date(at)
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]
  const [month, day, hour, minute, second] = parts.map((part) => String(part).padStart(2, '0'))
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Unix milliseconds of what such a field holds; null when it is empty or no date. */
export function fromLocalText(text: string): number | null {
  // Without a zone in the text, a date with a time is read in the system's zone.
  const at = text.includes('T') ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** An instant in the visitor's zone as the locale writes it, that zone's name, and the same in UTC. */
export function echoOf(at: number, locale: string): { local: string; zone: string; utc: string } {
  const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  return { local, zone, utc: new Date(at).toISOString().slice(0, 16).replace('T', ' ') }
}
