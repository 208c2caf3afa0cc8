import type { Entry } from './challenges.ts'
import { readUuid } from './uuid-bytes.ts'
import type { Change, SolveRow } from './model.ts'
import {
  addSolve,
  dropSolve,
  findSolve,
  hasPlaces,
  listSolve,
  unlistSolve,
  writePlaces,
  writeSolve,
} from './solves.ts'
import { standAfter } from './standings.ts'
import { raise, raiseTeam, type State } from './state.ts'

type SolvesChange = Extract<Change, { readonly kind: 'solves' }>

interface Touched {
  /** Whose standings have to be found again. */
  readonly entries: Set<Entry>
  readonly teams: Set<number>
  /** Whose solves read differently, recorded places included. */
  readonly readers: Set<number>
}

export function foldSolves(state: State, { rows, removed }: SolvesChange): void {
  const touched: Touched = { entries: new Set(), teams: new Set(), readers: new Set() }
  for (const { challengeId, teamId } of removed) {
    const entry = state.challenges.byId.get(challengeId)
    const team = state.teams.slots.get(teamId)
    if (entry && team !== undefined && findSolve(entry, team) >= 0) takeAway(state, { entry, team, touched })
  }
  for (const row of rows) {
    const entry = state.challenges.byId.get(row.challengeId)
    const team = state.teams.slots.get(row.teamId)
    if (entry && team !== undefined) upsertSolve(state, row, { entry, team, touched })
  }
  if (touched.readers.size === 0) return
  for (const team of touched.readers) raiseTeam(state, team)
  if (touched.teams.size > 0) standAfter(state, touched.entries, touched.teams)
  raise(state, 'board')
}

interface Target {
  readonly entry: Entry
  readonly team: number
  readonly touched: Touched
}

function upsertSolve(state: State, row: SolveRow, target: Target): void {
  const { solves, teams } = state
  const { entry, team, touched } = target
  const known = findSolve(entry, team)
  if (known >= 0) {
    const isSameSolve =
      solves.at[known] === row.createdAt && readUuid(solves.ids, known) === row.id.toLowerCase()
    if (isSameSolve) {
      if (hasPlaces(solves, known, row)) return
      writePlaces(solves, known, row)
      touched.readers.add(team)
      return
    }
    takeAway(state, target)
  }
  const slot = addSolve(solves, entry, team)
  writeSolve(solves, slot, row)
  touched.readers.add(team)
  if (teams.rows[team]?.banned) return
  listSolve(solves, entry, slot)
  touched.entries.add(entry)
  touched.teams.add(team)
}

function takeAway({ solves, teams }: State, { entry, team, touched }: Target): void {
  unlistSolve(solves, entry, findSolve(entry, team))
  dropSolve(solves, entry, team)
  touched.readers.add(team)
  if (teams.rows[team]?.banned) return
  touched.entries.add(entry)
  touched.teams.add(team)
}
