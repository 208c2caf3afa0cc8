/** The first line of a file. Spreadsheets read a file without a byte order mark in a legacy encoding. */
export function csvHead(names: readonly string[]): string {
  return `\uFEFF${csvLine(names)}`
}

/** A line with its end. Objects become JSON, null and undefined an empty field. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

/**
 * Spreadsheets run a cell that begins like a formula, and names of teams are free. Many of them also end a cell at a semicolon or a
 * tab, and with such a separator a line break in quotes ends it too. Full-width characters count as formulas in some languages.
 */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g

function csvField(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  const safe = text.replaceAll(FORMULA, "$1'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
