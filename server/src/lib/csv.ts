/** A line with its end. Objects become JSON, null and undefined an empty field. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/** Spreadsheets run a text that begins like a formula, and names of teams are free. */
const FORMULA = /^[=+\-@\t\r]/

function csvField(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
