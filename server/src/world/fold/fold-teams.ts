import { isJsonEqual } from '../json-equal.ts'
import type { Change, TeamRow } from '../model.ts'
import { findSolve, listSolve, removeSolve, unlistSolve } from '../solves.ts'
import { recomputeStandings } from '../standings.ts'
import {
  bumpBoard,
  bumpTeamVersion,
  bumpVersion,
  searchForm,
  type Entry,
  type State,
  type Teams,
} from '../state.ts'
import { trackNumber, type TrackRules } from '../tracks.ts'
import { hasFeed, teamsAt, withoutTeam } from './feed.ts'
import { dropTeamRows } from './fold-rows.ts'

type TeamsChange = Extract<Change, { readonly kind: 'teams' }>

/** The work that is done once, after all rows of a change. */
interface PendingUpdates {
  /** Rows that the scoreboard shows. */
  board: boolean
  /** Scores or order. */
  standings: boolean
}

/** Applies changed teams in place. */
export function foldTeams(state: State, { rows, removed }: TeamsChange): void {
  const pending: PendingUpdates = { board: false, standings: false }
  for (const id of removed) removeTeam(state, id, pending)
  for (const row of rows) upsertTeam(state, row, pending)
  if (pending.standings) recomputeStandings(state)
  if (!pending.board && !pending.standings) return
  bumpVersion(state, 'teams')
  bumpBoard(state, [])
}

function upsertTeam(state: State, row: TeamRow, pending: PendingUpdates): void {
  const { teams } = state
  const slot = teams.slots.get(row.id)
  const old = slot === undefined ? undefined : teams.rows[slot]
  // A new team has no solve, so the scoreboard does not show it yet.
  if (slot === undefined || !old) return addTeam(state, row)
  if (isJsonEqual(old, row)) return
  const track = teams.trackOf[slot]
  setTeam(teams, slot, row)
  bumpTeamVersion(state, slot)
  if (!hasRecords(state, slot)) return
  if (old.division !== row.division) state.standings.ranks = null
  if (track !== teams.trackOf[slot]) pending.standings = true
  if (old.banned !== row.banned) {
    moveSolves(state, slot)
    pending.standings = true
  }
  if (old.createdAt !== row.createdAt) pending.standings = true
  if (isShownDifferently(old, row)) pending.board = true
}

function isShownDifferently(a: TeamRow, b: TeamRow): boolean {
  return (
    a.name !== b.name ||
    a.division !== b.division ||
    a.track !== b.track ||
    a.avatarUrl !== b.avatarUrl ||
    a.countryCode !== b.countryCode ||
    a.statusText !== b.statusText
  )
}

/** Applies changed settings of tracks in place. The caller recomputes the standings. */
export function setTracks({ teams }: State, tracks: TrackRules): void {
  teams.tracks = tracks
  for (const [slot, row] of teams.rows.entries()) teams.trackOf[slot] = trackNumber(tracks, row?.track)
}

/** Whether the team has a solve, a feed score or a score row, public or not. */
function hasRecords({ challenges, scoreRows }: State, slot: number): boolean {
  if (scoreRows.byTeam.has(slot)) return true
  return challenges.sorted.some((entry) => findSolve(entry, slot) >= 0 || hasFeed(entry.feed, slot))
}

/** A ban removes the team's solves from the lists of the challenges; an unban inserts them again. */
function moveSolves({ challenges, solves, teams }: State, team: number): void {
  for (const entry of challenges.sorted) {
    const slot = findSolve(entry, team)
    if (slot < 0) continue
    if (teams.rows[team]?.banned) unlistSolve(solves, entry, slot)
    else listSolve(solves, entry, slot)
  }
}

function removeTeam(state: State, id: string, pending: PendingUpdates): void {
  const { teams } = state
  const slot = teams.slots.get(id)
  if (slot === undefined) return
  for (const entry of state.challenges.sorted) {
    if (removeSolve(state, { entry, team: slot })) pending.standings = true
    if (removeFromFeed(state, entry, slot)) pending.standings = true
  }
  if (state.scoreRows.byTeam.has(slot)) pending.standings = true
  dropTeamRows(state, id)
  clearKeys(teams, slot)
  teams.slots.delete(id)
  teams.rows[slot] = undefined
  teams.searchNames[slot] = ''
  teams.free.push(slot)
}

function removeFromFeed(state: State, entry: Entry, team: number): boolean {
  const before = entry.feed
  entry.feed = withoutTeam(before, team)
  // If only this team was in the latest tick, an earlier tick is the latest now, and its teams have a delta again.
  if (entry.feed.tickAt !== before.tickAt) {
    for (const moved of teamsAt(entry.feed, entry.feed.tickAt)) bumpTeamVersion(state, moved)
  }
  return entry.feed !== before
}

// The columns of teams

export function createTeams(tracks: TrackRules): Teams {
  return {
    slots: new Map(),
    rows: [],
    divisionOf: [],
    divisions: new Map(),
    tracks,
    trackOf: [],
    searchNames: [],
    versions: [],
    byEmail: new Map(),
    byExtrankId: new Map(),
    free: [],
  }
}

export function addTeam(state: State, row: TeamRow): void {
  const { teams } = state
  const slot = teams.free.pop() ?? teams.rows.length
  teams.slots.set(row.id, slot)
  teams.rows[slot] = undefined
  setTeam(teams, slot, row)
  bumpTeamVersion(state, slot)
}

function setTeam(teams: Teams, slot: number, row: TeamRow): void {
  clearKeys(teams, slot)
  teams.rows[slot] = row
  teams.divisionOf[slot] = divisionNumber(teams, row.division)
  teams.trackOf[slot] = trackNumber(teams.tracks, row.track)
  teams.searchNames[slot] = searchForm(row.name)
  if (row.email !== null) teams.byEmail.set(row.email, slot)
  if (row.extrankId !== null) teams.byExtrankId.set(row.extrankId, slot)
}

// If two teams swap addresses, the rows arrive one after the other: a key that another team has taken over stays.
function clearKeys(teams: Teams, slot: number): void {
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
