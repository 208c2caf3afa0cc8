/** A line of a CSV file. */
export interface CsvLine {
  /** In the file, from 1: quoted cells may have line breaks. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Reads CSV with commas or semicolons, whichever the first line has more of. Empty lines are skipped. */
export function readCsv(text: string): CsvLine[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const head = source.slice(0, `${source}\n`.indexOf('\n'))
  const separator = head.split(';').length > head.split(',').length ? ';' : ','
  const cell = new RegExp(
    String.raw`("(?:[^"]|"")*"|[^"${separator}\n][^${separator}\n]*|)(${separator}|\n|$)`,
    'y',
  )
  const lines: CsvLine[] = []
  let line = 1
  let start = 1
  let cells: string[] = []
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex
    const found = cell.exec(source)
    if (!found) {
      // A quote that is never closed, or text after one: the rest cannot be divided into cells.
      lines.push({ line: start, cells: ['"'] })
      return lines
    }
    const [whole, content = '', end] = found
    cells.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    line += whole.split('\n').length - 1
    if (end !== separator || at + whole.length === source.length) {
      if (end === separator) cells.push('')
      if (cells.some((each) => each.trim() !== '')) lines.push({ line: start, cells })
      cells = []
      start = line
    }
  }
  return lines
}
