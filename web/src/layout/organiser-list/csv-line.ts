/** Where a spreadsheet may begin a cell with a formula: some also end cells at semicolons, tabs and line breaks. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g

/** One CSV line. What a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function lineOf(cells: readonly string[]): string {
  const safe = cells.map((cell) => cell.replaceAll(FORMULA, "$1'"))
  return `${safe.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
