import type { AdminStatisticsTable, StatisticsTable } from '@pennant/contract/statistics.ts'
import type { z } from 'zod'
import { csvHead, csvLine } from '../../../lib/csv.ts'
import type { PublicReport } from './public-report.ts'
import type { Report } from './rules.ts'

export type Table = z.infer<typeof StatisticsTable>
export type AdminTable = z.infer<typeof AdminStatisticsTable>

/** A report for organisers, or for everyone, which has fewer columns. */
export type TabledReport = Omit<PublicReport, 'challenges' | 'countries' | 'divisions'> & {
  readonly challenges: readonly OrMore<Report['challenges'][number], PublicReport['challenges'][number]>[]
  readonly countries: readonly OrMore<Report['countries'][number], PublicReport['countries'][number]>[]
  readonly divisions: readonly OrMore<Report['divisions'][number], PublicReport['divisions'][number]>[]
}

type OrMore<All, Few> = Few & Partial<All>

type Row = Readonly<Record<string, string | number | null | undefined>>

/** A CSV file with a head. Times are in ISO 8601, durations in seconds. */
export function csvOf(rows: readonly Row[]): string {
  const [first] = rows
  if (!first) return ''
  return [csvHead(Object.keys(first)), ...rows.map((row) => csvLine(Object.values(row)))].join('')
}

export function tableOf(table: Table, report: TabledReport): readonly Row[] {
  return tables[table](report)
}

const tables: Readonly<Record<Table, (report: TabledReport) => readonly Row[]>> = {
  'over-time': ({ from, overTime: { periodMs, solves, submissions, teams } }) =>
    solves.map((count, at) => ({
      from: instant(from + at * periodMs),
      solves: count,
      submissions: submissions[at] ?? 0,
      active_teams: teams[at] ?? 0,
    })),
  challenges: ({ challenges }) =>
    challenges.map(({ id, name, category, firstSolve, shift, ...figures }) => ({
      id,
      name,
      category,
      initial_points: figures.initialPoints,
      points: figures.points,
      solves: figures.solves,
      share: figures.share,
      opened_at: instant(figures.openedAt),
      first_solve_at: firstSolve && instant(firstSolve.at),
      first_solve_after: firstSolve && seconds(firstSolve.afterMs),
      first_team_id: firstSolve?.teamId,
      first_team: firstSolve?.teamName,
      median_after: figures.medianMs === null ? null : seconds(figures.medianMs),
      shift_by_solves: shift.bySolves,
      shift_by_first_solve: shift.byFirstSolve,
      ...(figures.wrong === undefined ? {} : { correct_flags: figures.correct, wrong_flags: figures.wrong }),
    })),
  categories: ({ categories }) =>
    categories.map(({ initialPoints, ...figures }) => ({ ...figures, initial_points: initialPoints })),
  hours: ({ hours }) =>
    hours.map(({ solves, submissions, teams }, hour) => ({
      hour_utc: hour,
      solves,
      submissions,
      active_teams: teams,
    })),
  countries: ({ countries }) =>
    countries.map(({ countryCode, ...group }) => ({ country: countryCode, ...group })),
  divisions: ({ divisions }) => divisions.map((each) => ({ ...each })),
  funnel: ({ funnel }) => Object.entries(funnel).map(([step, teams]) => ({ step, teams })),
  retention: ({ from, retention: { periodMs, returning, others } }) =>
    returning.map((count, at) => ({
      from: instant(from + at * periodMs),
      early_teams: count,
      other_teams: others[at] ?? 0,
    })),
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}
