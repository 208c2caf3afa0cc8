/** A measured value and its budget. Exceeding the budget fails the run. */
export interface Row {
  readonly name: string
  /** Null for a time: it depends on the machine, so it is printed for comparison. */
  readonly most: number | null
  readonly measured: number
  readonly unit: string
}

/** Fields of a row without a budget. */
export function timed(measuredMs: number): Omit<Row, 'name'> {
  return { most: null, measured: rounded(measuredMs), unit: 'ms' }
}

/** Fields of a row with a budget. */
export function fixed(most: number, measured: number, unit: string): Omit<Row, 'name'> {
  return { most, measured: rounded(measured), unit }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

export function isBroken({ most, measured }: Row): boolean {
  return most !== null && measured > most
}

/** Prints the rows as a table. Returns the rows that fail the run. */
export function printRows(title: string, rows: readonly Row[]): Row[] {
  const lines = rows.map((row) => [
    row.name,
    row.most === null ? '' : `${row.most} ${row.unit}`,
    `${row.measured} ${row.unit}`,
    verdictOf(row),
  ])
  const all = [[title, 'budget', 'measured', ''], ...lines]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((line) => line[at]?.length ?? 0)))
  for (const [name = '', most = '', measured = '', verdict = ''] of all) {
    const cells = [
      name.padEnd(widths[0] ?? 0),
      most.padStart(widths[1] ?? 0),
      measured.padStart(widths[2] ?? 0),
    ]
    console.log([...cells, verdict].join('  ').trimEnd())
  }
  console.log()
  return rows.filter(isBroken)
}

function verdictOf(row: Row): string {
  if (row.most === null) return ''
  return isBroken(row) ? 'BROKEN' : 'ok'
}
