import { CountryCode, Email, TeamName, teamNameKey } from '@pennant/contract/fields.ts'
import type { CustomField } from '@pennant/contract/custom-field-values.ts'
import { registrationLimits, type TeamFileProblem } from '@pennant/contract/registration.ts'
import type { z } from 'zod'
import { answersTo } from '../../site/custom-fields/check.ts'
import type { NewAnswer } from '../../site/custom-fields/store.ts'
import { readCsv, type CsvLine } from '../../../lib/read-csv.ts'

export type Problem = z.infer<typeof TeamFileProblem>

export interface FileTeam {
  readonly line: number
  readonly name: string
  readonly email: string
  readonly division: string
  readonly countryCode: string | null
  /** Answers to the fields of teams. */
  readonly fields: readonly NewAnswer[]
}

export interface TeamFile {
  readonly teams: readonly FileTeam[]
  readonly problems: readonly Problem[]
}

export interface FileDivisions {
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision?: string | undefined
  /** What teams are asked for. */
  readonly teamFields?: readonly CustomField[]
}

const COLUMNS = ['name', 'email', 'division', 'country'] as const
type Column = (typeof COLUMNS)[number]

/** More are no help for whoever corrects the file. */
export const MAX_PROBLEMS = 200

/** Reads teams from CSV. The first line names the columns; a division may be its id or its label. */
export function readTeamFile(csv: string, divisions: FileDivisions): TeamFile {
  const [head, ...rows] = readCsv(csv)
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  const problems: Problem[] = []
  for (const column of ['name', 'email'])
    if (!columns.includes(column)) problems.push({ line: 1, column, problem: 'noColumn' })
  for (const column of columns)
    if (!COLUMNS.some((known) => known === column) && !divisions.teamFields?.some(({ id }) => id === column))
      problems.push({ line: 1, column: column.slice(0, 100), problem: 'unknownColumn' })
  if (problems.length > 0) return { teams: [], problems: problems.slice(0, MAX_PROBLEMS) }
  if (rows.length === 0) problems.push({ line: 1, column: null, problem: 'noTeams' })
  if (rows.length > registrationLimits.teams)
    return { teams: [], problems: [{ line: rows.length + 1, column: null, problem: 'tooMany' }] }
  const teams: FileTeam[] = []
  for (const row of rows) {
    const team = teamOf(row, columns, divisions)
    if ('problem' in team) problems.push(team)
    else teams.push(team)
  }
  problems.push(...twice(teams))
  return { teams, problems: problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS) }
}

function teamOf(
  { line, cells }: CsvLine,
  columns: readonly string[],
  options: FileDivisions,
): FileTeam | Problem {
  if (cells.length > columns.length || (cells.length === 1 && cells[0] === '"'))
    return { line, column: null, problem: 'unreadable' }
  const text = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? ''
  const name = TeamName.safeParse(text('name'))
  if (!name.success) return { line, column: 'name', problem: 'badName' }
  const email = Email.safeParse(text('email'))
  if (!email.success) return { line, column: 'email', problem: 'badEmail' }
  const division = divisionOf(text('division'), options)
  if (division === null) return { line, column: 'division', problem: 'badDivision' }
  const country = text('country').toUpperCase()
  const countryCode = country === '' ? null : CountryCode.safeParse(country)
  if (countryCode?.success === false) return { line, column: 'country', problem: 'badCountry' }
  const fields = answersOf(cells, columns, options)
  if ('column' in fields) return { line, column: fields.column, problem: 'badAnswer' }
  const countryOfTeam = countryCode?.data ?? null
  return {
    line,
    name: name.data,
    email: email.data,
    division,
    countryCode: countryOfTeam,
    fields: fields.answers,
  }
}

/** Organisers may leave answers out, which the team is asked for later. */
function answersOf(
  cells: readonly string[],
  columns: readonly string[],
  { teamFields: fields = [] }: FileDivisions,
): { readonly column: string } | { readonly answers: readonly NewAnswer[] } {
  const given = fields.flatMap(({ id }) => {
    const text = cells[columns.indexOf(id)]?.trim() ?? ''
    return text === '' ? [] : [[id, text]]
  })
  const checked = answersTo(fields, { given: Object.fromEntries(given), isComplete: false, by: null })
  if (checked.refused === undefined) return checked
  return { column: checked.refused.data.problems[0]?.field ?? '' }
}

function divisionOf(text: string, { divisions, defaultDivision }: FileDivisions): string | null {
  const ids = Object.keys(divisions)
  if (text === '') return defaultDivision ?? ids[0] ?? null
  if (Object.hasOwn(divisions, text)) return text
  return ids.find((id) => divisions[id]?.toLowerCase() === text.toLowerCase()) ?? null
}

/** Names and addresses that an earlier line has. */
function twice(teams: readonly FileTeam[]): Problem[] {
  const [names, emails] = [new Set<string>(), new Set<string>()]
  return teams.flatMap(({ line, name, email }): Problem[] => {
    const isName = names.has(teamNameKey(name))
    const isEmail = emails.has(email)
    names.add(teamNameKey(name))
    emails.add(email)
    return [
      ...(isName ? [{ line, column: 'name', problem: 'twiceName' as const }] : []),
      ...(isEmail ? [{ line, column: 'email', problem: 'twiceEmail' as const }] : []),
    ]
  })
}
