/** One budget, and what was measured against it. */
export interface Row {
  readonly name: string
  /** Null: nothing was promised, the figure is for people. */
  readonly most: number | null
  readonly measured: number
  readonly unit: string
  /** Whether breaking it fails the run. What depends on the machine is only printed. */
  readonly fails: boolean
}

/** Of a row that depends on the machine. Null: nothing was promised. */
export function printed(most: number | null, measured: number, unit: string): Omit<Row, 'name'> {
  return { most, measured: Math.round(measured * 10) / 10, unit, fails: false }
}

export function isBroken({ most, measured }: Row): boolean {
  return most !== null && measured > most
}

/** Prints the rows as a table. Gives back those that fail the run. */
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
  return rows.filter((row) => row.fails && isBroken(row))
}

function verdictOf(row: Row): string {
  if (row.most === null) return ''
  if (!isBroken(row)) return 'ok'
  return row.fails ? 'BROKEN' : 'over, on this machine'
}
