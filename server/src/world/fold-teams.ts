import type { Entry } from './challenges.ts'
import { hasFeed, teamsAt, withoutTeam } from './feed.ts'
import type { Change, TeamRow } from './model.ts'
import { isSame } from './same.ts'
import { dropSolve, findSolve, listSolve, unlistSolve } from './solves.ts'
import { standAgain } from './standings.ts'
import { raise, raiseTeam, type State } from './state.ts'
import { addTeam, removeTeam, setTeam } from './teams.ts'

type TeamsChange = Extract<Change, { readonly kind: 'teams' }>

/** What a change of teams asks for at its end. */
interface Wake {
  /** Rows that boards show. */
  board: boolean
  /** Scores or order. */
  standings: boolean
}

export function foldTeams(state: State, { rows, removed }: TeamsChange): void {
  const wake: Wake = { board: false, standings: false }
  for (const id of removed) forgetTeam(state, id, wake)
  for (const row of rows) upsertTeam(state, row, wake)
  if (wake.standings) standAgain(state)
  if (wake.board || wake.standings) raise(state, 'board')
}

function upsertTeam(state: State, row: TeamRow, wake: Wake): void {
  const { teams } = state
  const slot = teams.slots.get(row.id)
  const old = slot === undefined ? undefined : teams.rows[slot]
  // Newcomers have no solve: no board shows them yet.
  if (slot === undefined || !old) return raiseTeam(state, addTeam(teams, row))
  if (isSame(old, row)) return
  setTeam(teams, slot, row)
  raiseTeam(state, slot)
  if (!isOnRecord(state, slot)) return
  if (old.division !== row.division) state.standings.places = null
  if (old.banned !== row.banned) {
    moveSolves(state, slot)
    wake.standings = true
  }
  if (old.createdAt !== row.createdAt) wake.standings = true
  if (isShownDifferently(old, row)) wake.board = true
}

function isShownDifferently(a: TeamRow, b: TeamRow): boolean {
  return (
    a.name !== b.name ||
    a.division !== b.division ||
    a.avatarUrl !== b.avatarUrl ||
    a.countryCode !== b.countryCode ||
    a.statusText !== b.statusText
  )
}

/** Whether anything of the contest names the team. */
function isOnRecord({ challenges }: State, slot: number): boolean {
  return challenges.sorted.some((entry) => findSolve(entry, slot) >= 0 || hasFeed(entry.feed, slot))
}

/** A banned team's solves leave the lists of their challenges, and come back with the team. */
function moveSolves({ challenges, solves, teams }: State, team: number): void {
  for (const entry of challenges.sorted) {
    const slot = findSolve(entry, team)
    if (slot < 0) continue
    if (teams.rows[team]?.banned) unlistSolve(solves, entry, slot)
    else listSolve(solves, entry, slot)
  }
}

function forgetTeam(state: State, id: string, wake: Wake): void {
  const slot = state.teams.slots.get(id)
  if (slot === undefined) return
  for (const entry of state.challenges.sorted) {
    if (forgetSolve(state, entry, slot)) wake.standings = true
    if (forgetFeed(state, entry, slot)) wake.standings = true
  }
  removeTeam(state.teams, slot)
}

function forgetSolve({ solves }: State, entry: Entry, team: number): boolean {
  const slot = findSolve(entry, team)
  if (slot < 0) return false
  unlistSolve(solves, entry, slot)
  dropSolve(solves, entry, team)
  return true
}

function forgetFeed(state: State, entry: Entry, team: number): boolean {
  const before = entry.feed
  entry.feed = withoutTeam(before, team)
  // The latest tick may have been this team's alone: then others have a delta again.
  if (entry.feed.tickAt !== before.tickAt) {
    for (const moved of teamsAt(entry.feed, entry.feed.tickAt)) raiseTeam(state, moved)
  }
  return entry.feed !== before
}
