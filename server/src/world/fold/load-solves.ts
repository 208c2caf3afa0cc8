import { withRoom } from '../columns.ts'
import type { SolveColumns } from '../bulk-columns.ts'
import type { SolveRow } from '../model.ts'
import { addSolve, findSolve, reserveSolves, UUID_BYTES, writePlaces, writeSolve } from '../solves.ts'
import type { Entry, Solves, State } from '../state.ts'
import { sortSolves } from './sort-solves.ts'

/** Spare capacity after loading, as a divisor: without it, the first new solves would copy every column. */
const SPARE_DIVISOR = 16

/** Fills an empty world with solves, in any order; applies in place. */
export function loadSolves(state: State, rows: readonly SolveRow[], columns: readonly SolveColumns[]): void {
  const { solves, teams, challenges } = state
  const total = columns.reduce((sum, { length }) => sum + length, rows.length)
  reserveSolves(solves, total + Math.ceil(total / SPARE_DIVISOR))
  for (const entry of challenges.byId.values()) entry.solveOf = new Int32Array(teams.rows.length)
  for (const row of rows) {
    const entry = challenges.byId.get(row.challengeId)
    const team = teams.slots.get(row.teamId)
    if (!entry || team === undefined || findSolve(entry, team) >= 0) continue
    const slot = addSolve(solves, entry, team)
    writeSolve(solves, slot, row)
    if (!teams.rows[team]?.banned) appendToList(entry, slot)
  }
  if (columns.length > 0) loadColumns(state, columns)
  for (const entry of challenges.byId.values()) sortList(state, entry)
}

/** The list is sorted after all solves are loaded. */
function appendToList(entry: Entry, slot: number): void {
  entry.solves = withRoom(entry.solves, entry.solvesLength + 1)
  entry.solves[entry.solvesLength] = slot
  entry.solvesLength += 1
}

function sortList({ solves }: State, entry: Entry): void {
  const length = entry.solvesLength
  const sorted = sortSolves(solves, entry.solves.subarray(0, length))
  entry.solves = new Int32Array(length + Math.ceil(length / SPARE_DIVISOR))
  entry.solves.set(sorted)
  writePlaces(solves, entry)
}

function loadColumns(state: State, chunks: readonly SolveColumns[]): void {
  const { solves } = state
  const isBanned = Uint8Array.from(state.teams.rows, (row) => (row?.banned ? 1 : 0))
  // Arrays indexed by number: several times faster than maps, and V8 stores a sparse array as a hash table.
  const teams: number[] = []
  for (const [slot, row] of state.teams.rows.entries()) if (row?.n !== undefined) teams[row.n] = slot
  const entries: Entry[] = []
  for (const entry of state.challenges.byId.values()) {
    if (entry.row.n !== undefined) entries[entry.row.n] = entry
  }
  for (const chunk of chunks) {
    // Consecutive rows get consecutive slots, so whole runs of the columns are copied at once.
    let start = 0
    for (let index = 0; index < chunk.length; index += 1) {
      const team = teams[chunk.teamNumbers[index] as number]
      const entry = entries[chunk.challengeNumbers[index] as number]
      if (entry && team !== undefined && findSolve(entry, team) < 0) {
        const slot = addSolve(solves, entry, team)
        if (isBanned[team] === 0) appendToList(entry, slot)
        continue
      }
      copyRun(solves, chunk, { start, end: index })
      start = index + 1
    }
    copyRun(solves, chunk, { start, end: chunk.length })
  }
}

/** Copies rows `start` to `end` of the chunk into the last slots taken, which belong to them. */
function copyRun(
  solves: Solves,
  chunk: SolveColumns,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const to = solves.length - (end - start)
  solves.at.set(chunk.createdAt.subarray(start, end), to)
  solves.globalRank.set(chunk.globalRanks.subarray(start, end), to)
  solves.divisionRank.set(chunk.divisionRanks.subarray(start, end), to)
  solves.assisted.set(chunk.assisted.subarray(start, end), to)
  solves.ids.set(chunk.ids.subarray(start * UUID_BYTES, end * UUID_BYTES), to * UUID_BYTES)
}
