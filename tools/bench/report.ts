/** One line of a result: numbers with their unit at the end of the key, null where there is no figure. */
export type Row = Readonly<Record<string, string | number | null>>

/** The result of a scenario. The same object is printed as a table or as JSON. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
  readonly notes?: readonly string[]
}

/** A Markdown table with aligned columns; columns without any value are left out. */
export function markdownOf({ title, rows, notes = [] }: Section): string[] {
  const keys = [...new Set(rows.flatMap(Object.keys))].filter((key) =>
    rows.some((row) => row[key] !== null && row[key] !== undefined && row[key] !== ''),
  )
  const cells = [keys, ...rows.map((row) => keys.map((key) => cellOf(row[key])))]
  const widths = keys.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const lines = cells.map((line) => line.map((cell, at) => padded(cell, widths[at] ?? 0, at)))
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const table = [lines[0] ?? [], rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |`)
  return [`## ${title}`, '', ...table, ...notes.flatMap((note) => ['', note]), '']
}

const padded = (cell: string, width: number, column: number) =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width)

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Number.isNaN(value)) return '?'
  if (Number.isInteger(value)) return value.toLocaleString('en')
  // Three digits are more than a measurement is worth.
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))))
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

/** NaN without any value. `part` is from 0 to 1. */
export function quantileOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Says on standard error what was measured, because a scenario takes minutes and prints its table at the end. */
export function progress(row: Row): Row {
  const cells = Object.entries(row).map(([key, value]) => `${key} ${cellOf(value)}`)
  console.error(cells.join(', '))
  return row
}
