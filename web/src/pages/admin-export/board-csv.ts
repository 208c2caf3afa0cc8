import type { BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import { csvFile } from '../../organisers/csv-line.ts'

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

/** Returns the rows as CSV, with their tracks in an event that has some. */
export function csvOf(rows: readonly BoardRow[]): string {
  const hasTracks = rows.some(({ track }) => track !== undefined)
  const head = hasTracks ? [...HEAD, 'track'] : HEAD
  return csvFile(
    head,
    rows.map((row) => [...cellsOf(row), ...(hasTracks ? [row.track ?? ''] : [])]),
  )
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
