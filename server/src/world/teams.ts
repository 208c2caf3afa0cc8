import type { TeamRow } from './model.ts'

/** Teams by slot: a small whole number that the columns of the world are indexed by. Freed slots are used again. */
export interface Teams {
  readonly slots: Map<string, number>
  readonly rows: (TeamRow | undefined)[]
  /** Division of each slot as a number of `divisions`. */
  readonly divisionOf: number[]
  readonly divisions: Map<string, number>
  readonly searchNames: string[]
  readonly versions: number[]
  readonly byEmail: Map<string, number>
  readonly byExtrankId: Map<string, number>
  readonly free: number[]
}

export function createTeams(): Teams {
  return {
    slots: new Map(),
    rows: [],
    divisionOf: [],
    divisions: new Map(),
    searchNames: [],
    versions: [],
    byEmail: new Map(),
    byExtrankId: new Map(),
    free: [],
  }
}

export function addTeam(teams: Teams, row: TeamRow): number {
  const slot = teams.free.pop() ?? teams.rows.length
  teams.slots.set(row.id, slot)
  teams.rows[slot] = undefined
  setTeam(teams, slot, row)
  return slot
}

export function setTeam(teams: Teams, slot: number, row: TeamRow): void {
  forgetKeys(teams, slot)
  teams.rows[slot] = row
  teams.divisionOf[slot] = divisionNumber(teams, row.division)
  teams.searchNames[slot] = searchForm(row.name)
  if (row.email !== null) teams.byEmail.set(row.email, slot)
  if (row.extrankId !== null) teams.byExtrankId.set(row.extrankId, slot)
}

export function removeTeam(teams: Teams, slot: number): void {
  forgetKeys(teams, slot)
  const row = teams.rows[slot]
  if (row) teams.slots.delete(row.id)
  teams.rows[slot] = undefined
  teams.searchNames[slot] = ''
  teams.free.push(slot)
}

// Two teams that swapped addresses come one after the other: a key that has another owner by now stays.
function forgetKeys(teams: Teams, slot: number): void {
  const row = teams.rows[slot]
  if (!row) return
  if (row.email !== null && teams.byEmail.get(row.email) === slot) teams.byEmail.delete(row.email)
  if (row.extrankId !== null && teams.byExtrankId.get(row.extrankId) === slot) {
    teams.byExtrankId.delete(row.extrankId)
  }
}

function divisionNumber({ divisions }: Teams, division: string): number {
  const known = divisions.get(division)
  if (known !== undefined) return known
  divisions.set(division, divisions.size)
  return divisions.size - 1
}

/** How names and searched texts are compared: case does not matter. */
export function searchForm(text: string): string {
  return text.toLowerCase()
}
