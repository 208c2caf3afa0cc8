import type { BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import { lineOf } from '../../layout/organiser-list/csv-line.ts'

export type BoardRow = z.output<typeof BoardRowV2>

const HEAD = [
  'place',
  'team',
  'team_id',
  'division',
  'division_place',
  'country',
  'score',
  'solves',
  'last_solve',
]

/** Returns the rows as CSV. */
export function csvOf(rows: readonly BoardRow[]): string {
  // The byte order mark makes spreadsheets read the text as UTF-8.
  return `\uFEFF${[HEAD, ...rows.map(cellsOf)].map(lineOf).join('')}`
}

function cellsOf(row: BoardRow): string[] {
  const { globalPlace, name, id, division, divisionPlace, countryCode, score, solves } = row
  const last = Math.max(...solves.map(({ solveTime }) => solveTime))
  return [
    globalPlace === null ? '' : String(globalPlace),
    name,
    id,
    division,
    String(divisionPlace),
    countryCode ?? '',
    String(score),
    String(solves.length),
    solves.length === 0 ? '' : new Date(last).toISOString(),
  ]
}
