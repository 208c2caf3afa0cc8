import type { LoadResult } from './load.ts'

export interface Row {
  readonly name: string
  readonly ours: LoadResult
  /** The machine's maximum for the same bytes or commits, per second. */
  readonly limit: number
  readonly limitName: string
}

/** Prints the rows as a table. The last column matters most: our figure over the machine's limit. */
export function printRows(rows: readonly Row[]): void {
  const table = rows.map(({ name, ours, limit, limitName }) => [
    name,
    ours.perSecond.toFixed(0),
    ours.p50Ms.toFixed(1),
    ours.p99Ms.toFixed(1),
    `${limit.toFixed(0)} (${limitName})`,
    (ours.perSecond / limit).toFixed(2),
    ours.not2xx === 0 ? '' : `${ours.not2xx} not 2xx`,
  ])
  const head = ['what', 'per s', 'p50 ms', 'p99 ms', 'limit per s', 'ratio', '']
  const widths = head.map((title, at) =>
    Math.max(title.length, ...table.map((line) => (line[at] ?? '').length)),
  )
  for (const line of [head, ...table]) {
    console.log(
      line
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
  }
}

/** A table in Markdown; the first line is its head. */
export function markdownOf([head = [], ...lines]: readonly (readonly (string | number)[])[]): string[] {
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`)
}
