import { withRoom } from './columns.ts'
import type { SolveRow } from './model.ts'
import type { Entry, Solves, State } from './state.ts'

// The columns of all solves and the list of each challenge. Functions that write apply in place.

export const UUID_BYTES = 16

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function createSolves(): Solves {
  return {
    length: 0,
    team: new Int32Array(0),
    at: new Float64Array(0),
    place: new Int32Array(0),
    ids: new Uint8Array(0),
    globalRank: new Int32Array(0),
    divisionRank: new Int32Array(0),
    assisted: new Uint8Array(0),
    free: [],
    moves: 0,
  }
}

let lastSolvesVersion = 0

export function nextSolvesVersion(): number {
  lastSolvesVersion += 1
  return lastSolvesVersion
}

/** For changes of the list of solves, or of their ranks. */
function bumpSolves(entry: Entry): void {
  entry.solvesVersion = nextSolvesVersion()
  entry.isRanked = null
}

/** Grows all columns to the same length. */
export function reserveSolves(solves: Solves, length: number): void {
  solves.team = withRoom(solves.team, length)
  const room = solves.team.length
  solves.at = withRoom(solves.at, room)
  solves.place = withRoom(solves.place, room)
  solves.ids = withRoom(solves.ids, room * UUID_BYTES)
  solves.globalRank = withRoom(solves.globalRank, room)
  solves.divisionRank = withRoom(solves.divisionRank, room)
  solves.assisted = withRoom(solves.assisted, room)
}

/** The slot of the team's solve, or -1. */
export function findSolve(entry: Entry, team: number): number {
  return (entry.solveOf[team] ?? 0) - 1
}

/** By time, then id. */
export function compareSolves({ at, ids }: Solves, a: number, b: number): number {
  const byTime = (at[a] as number) - (at[b] as number)
  if (byTime !== 0) return byTime
  // PostgreSQL compares UUIDs byte by byte, too.
  for (let byte = 0; byte < UUID_BYTES; byte += 1) {
    const byId = (ids[a * UUID_BYTES + byte] as number) - (ids[b * UUID_BYTES + byte] as number)
    if (byId !== 0) return byId
  }
  return 0
}

interface Upserted {
  readonly slot: number
  readonly changed: 'nothing' | 'marks' | 'solve'
}

/** Stores a row, replacing another solve of the same team, and lists it unless the team is banned. */
export function upsertSolve(state: State, row: SolveRow, { entry, team }: SolveKey): Upserted {
  const { solves } = state
  const known = findSolve(entry, team)
  if (known >= 0 && solves.at[known] === row.createdAt && solveIdAt(solves, known) === row.id.toLowerCase()) {
    const isMarked = writeMark(solves, known, row)
    // The world computes ranks before the worker records them, so a row without ranks is older.
    const isRanked = row.globalRank !== null && !hasRanks(solves, known, row)
    if (!isMarked && !isRanked) return { slot: known, changed: 'nothing' }
    if (isRanked) writeRanks(solves, known, row)
    bumpSolves(entry)
    return { slot: known, changed: 'marks' }
  }
  removeSolve(state, { entry, team })
  const slot = addSolve(solves, entry, team)
  writeSolve(solves, slot, row)
  if (!state.teams.rows[team]?.banned) listSolve(solves, entry, slot)
  return { slot, changed: 'solve' }
}

export interface SolveKey {
  readonly entry: Entry
  /** Slot. */
  readonly team: number
}

/** Returns whether there was one. */
export function removeSolve({ solves }: State, { entry, team }: SolveKey): boolean {
  const slot = findSolve(entry, team)
  if (slot < 0) return false
  unlistSolve(solves, entry, slot)
  solves.free.push(slot)
  entry.solveOf[team] = 0
  return true
}

/** Takes a slot for a solve that the team does not have yet. The caller fills the slot and lists it. */
export function addSolve(solves: Solves, entry: Entry, team: number): number {
  const slot = solves.free.pop() ?? solves.length
  if (slot === solves.length) {
    if (slot === solves.team.length) reserveSolves(solves, slot + 1)
    solves.length += 1
  }
  solves.team[slot] = team
  solves.place[slot] = -1
  entry.solveOf = withRoom(entry.solveOf, team + 1)
  entry.solveOf[team] = slot + 1
  return slot
}

export function writeSolve(solves: Solves, slot: number, row: SolveRow): void {
  solves.at[slot] = row.createdAt
  writeUuid(solves.ids, slot, row.id)
  writeRanks(solves, slot, row)
  writeMark(solves, slot, row)
}

/** Returns whether the mark differs from the stored one. */
function writeMark({ assisted }: Solves, slot: number, { isAssisted = false }: SolveRow): boolean {
  const isChanged = (assisted[slot] === 1) !== isAssisted
  assisted[slot] = isAssisted ? 1 : 0
  return isChanged
}

function writeRanks(solves: Solves, slot: number, row: SolveRow): void {
  solves.globalRank[slot] = row.globalRank ?? 0
  solves.divisionRank[slot] = row.divisionRank ?? 0
}

function hasRanks(solves: Solves, slot: number, row: SolveRow): boolean {
  return (
    solves.globalRank[slot] === (row.globalRank ?? 0) && solves.divisionRank[slot] === (row.divisionRank ?? 0)
  )
}

/** Inserts a solve into the challenge's list, in order. */
export function listSolve(solves: Solves, entry: Entry, slot: number): void {
  const position = positionOfNew(solves, entry, slot)
  if (position < entry.solvesLength) solves.moves += 1
  entry.solves = withRoom(entry.solves, entry.solvesLength + 1)
  entry.solves.copyWithin(position + 1, position, entry.solvesLength)
  entry.solves[position] = slot
  entry.solvesLength += 1
  writePlaces(solves, entry, position)
  bumpSolves(entry)
}

/** Does nothing for a solve that is not listed. */
export function unlistSolve(solves: Solves, entry: Entry, slot: number): void {
  const position = solves.place[slot] as number
  if (position < 0) return
  entry.solves.copyWithin(position, position + 1, entry.solvesLength)
  entry.solvesLength -= 1
  solves.place[slot] = -1
  solves.moves += 1
  writePlaces(solves, entry, position)
  bumpSolves(entry)
}

/** For the list from an index on. */
export function writePlaces({ place }: Solves, { solves, solvesLength }: Entry, from = 0): void {
  for (let at = from; at < solvesLength; at += 1) place[solves[at] as number] = at
}

/** The index at which the solve is to be inserted into the list. */
function positionOfNew(solves: Solves, entry: Entry, slot: number): number {
  let low = 0
  let high = entry.solvesLength
  // Fast path: new solves nearly always come last.
  if (high > 0 && compareSolves(solves, entry.solves[high - 1] as number, slot) < 0) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareSolves(solves, entry.solves[middle] as number, slot) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The UUID of a solve, in lower case. */
export function solveIdAt({ ids }: Solves, slot: number): string {
  const start = slot * UUID_BYTES
  let text = ''
  for (let byte = 0; byte < UUID_BYTES; byte += 1) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) text += '-'
    text += HEX[ids[start + byte] as number] as string
  }
  return text
}

function writeUuid(ids: Uint8Array, slot: number, uuid: string): void {
  if (!UUID.test(uuid)) throw new TypeError(`not a UUID: ${uuid}`)
  let to = slot * UUID_BYTES
  for (let from = 0; from < uuid.length; from += 2) {
    if (uuid[from] === '-') from += 1
    ids[to] = Number.parseInt(uuid.slice(from, from + 2), 16)
    to += 1
  }
}
