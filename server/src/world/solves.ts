import type { Entry } from './challenges.ts'
import { withRoom } from './columns.ts'
import type { Solve, SolveRow } from './model.ts'
import { compareUuids, readUuid, UUID_BYTES, writeUuid } from './uuid-bytes.ts'

/** All solves by slot, in columns: 36 bytes each. Freed slots are used again. */
export interface Solves {
  /** Slots in use and freed. */
  length: number
  team: Int32Array
  at: Float64Array
  ids: Uint8Array
  /** 0 where not recorded. */
  globalPlace: Int32Array
  divisionPlace: Int32Array
  readonly free: number[]
}

export function createSolves(): Solves {
  return {
    length: 0,
    team: new Int32Array(0),
    at: new Float64Array(0),
    ids: new Uint8Array(0),
    globalPlace: new Int32Array(0),
    divisionPlace: new Int32Array(0),
    free: [],
  }
}

/** All columns have the same room. */
export function reserveSolves(solves: Solves, length: number): void {
  solves.team = withRoom(solves.team, length)
  const room = solves.team.length
  solves.at = withRoom(solves.at, room)
  solves.ids = withRoom(solves.ids, room * UUID_BYTES)
  solves.globalPlace = withRoom(solves.globalPlace, room)
  solves.divisionPlace = withRoom(solves.divisionPlace, room)
}

export function takeSolveSlot(solves: Solves): number {
  const freed = solves.free.pop()
  if (freed !== undefined) return freed
  if (solves.length === solves.team.length) reserveSolves(solves, solves.length + 1)
  solves.length += 1
  return solves.length - 1
}

/** The slot of the team's solve, or -1. */
export function findSolve(entry: Entry, team: number): number {
  return (entry.solveOf[team] ?? 0) - 1
}

/** Stores a solve that the team does not have yet. It joins the challenge's list by `listSolve`. */
export function addSolve(solves: Solves, entry: Entry, team: number): number {
  const slot = takeSolveSlot(solves)
  solves.team[slot] = team
  entry.solveOf = withRoom(entry.solveOf, team + 1)
  entry.solveOf[team] = slot + 1
  return slot
}

export function writeSolve(solves: Solves, slot: number, row: SolveRow): void {
  solves.at[slot] = row.createdAt
  writeUuid(solves.ids, slot, row.id)
  writePlaces(solves, slot, row)
}

export function writePlaces(solves: Solves, slot: number, row: SolveRow): void {
  solves.globalPlace[slot] = row.globalPlace ?? 0
  solves.divisionPlace[slot] = row.divisionPlace ?? 0
}

export function hasPlaces(solves: Solves, slot: number, row: SolveRow): boolean {
  return (
    solves.globalPlace[slot] === (row.globalPlace ?? 0) &&
    solves.divisionPlace[slot] === (row.divisionPlace ?? 0)
  )
}

/** Forgets the solve; it must have left the challenge's list. */
export function dropSolve(solves: Solves, entry: Entry, team: number): void {
  solves.free.push(findSolve(entry, team))
  entry.solveOf[team] = 0
}

/** By time, then id. */
export function compareSolves(solves: Solves, a: number, b: number): number {
  return (solves.at[a] as number) - (solves.at[b] as number) || compareUuids(solves.ids, a, b)
}

/** Puts a solve into its place in the challenge's list. */
export function listSolve(solves: Solves, entry: Entry, slot: number): void {
  const position = positionInList(solves, entry, slot)
  entry.solves = withRoom(entry.solves, entry.solvesLength + 1)
  entry.solves.copyWithin(position + 1, position, entry.solvesLength)
  entry.solves[position] = slot
  entry.solvesLength += 1
}

export function unlistSolve(solves: Solves, entry: Entry, slot: number): void {
  const position = positionInList(solves, entry, slot)
  if (position === entry.solvesLength || entry.solves[position] !== slot) return
  entry.solves.copyWithin(position, position + 1, entry.solvesLength)
  entry.solvesLength -= 1
}

/** Where the solve is in the list, or would be. */
export function positionInList(solves: Solves, entry: Entry, slot: number): number {
  let low = 0
  let high = entry.solvesLength
  // New solves come last, nearly always.
  if (high > 0 && compareSolves(solves, entry.solves[high - 1] as number, slot) < 0) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareSolves(solves, entry.solves[middle] as number, slot) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The solve for readers. */
export function solveView(solves: Solves, slot: number, keys: Pick<Solve, 'challengeId' | 'teamId'>): Solve {
  return {
    id: readUuid(solves.ids, slot),
    challengeId: keys.challengeId,
    teamId: keys.teamId,
    createdAt: solves.at[slot] as number,
    globalPlace: solves.globalPlace[slot] || null,
    divisionPlace: solves.divisionPlace[slot] || null,
  }
}
