/** One budget and the measured value. */
export interface Row {
  readonly name: string
  readonly most: number
  readonly measured: number
  readonly unit: string
  /** Whether exceeding the budget fails the run. Figures that depend on the machine are only printed. */
  readonly fails: boolean
}

/** Fields of a row whose figure depends on the machine: exceeding the budget is only printed. */
export function printed(most: number, measured: number, unit: string): Omit<Row, 'name'> {
  return { ...fixed(most, measured, unit), fails: false }
}

/** Fields of a row whose figure does not depend on the machine: exceeding the budget fails the run. */
export function fixed(most: number, measured: number, unit: string): Omit<Row, 'name'> {
  return { most, measured: Math.round(measured * 10) / 10, unit, fails: true }
}

export function isBroken({ most, measured }: Row): boolean {
  return measured > most
}

/** Prints the rows as a table. Returns the rows that fail the run. */
export function printRows(title: string, rows: readonly Row[]): Row[] {
  const lines = rows.map((row) => [
    row.name,
    `${row.most} ${row.unit}`,
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
  return rows.filter((row) => row.fails && isBroken(row))
}

function verdictOf(row: Row): string {
  if (!isBroken(row)) return 'ok'
  return row.fails ? 'BROKEN' : 'over, on this machine'
}
