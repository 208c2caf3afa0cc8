/** Where a spreadsheet may begin a cell with a formula: some also end cells at semicolons, tabs and line breaks. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g

/** A CSV file. The byte order mark makes spreadsheets read the text as UTF-8. */
export function csvFile(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${[head, ...rows].map(lineOf).join('')}`
}

/** One CSV line. What a spreadsheet would run as a formula is prefixed with an apostrophe. */
function lineOf(cells: readonly string[]): string {
  const safe = cells.map((cell) => cell.replaceAll(FORMULA, "$1'"))
  return `${safe.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
