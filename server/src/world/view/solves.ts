import type { Challenge } from '../model.ts'
import type { ChallengeSolves, Solve, TeamSolve } from '../reads.ts'
import { compareSolves, findSolve, solveIdAt } from '../solves.ts'
import type { Entry, Solves, State } from '../state.ts'
import { isInSet } from '../tracks.ts'
import { pricedOf } from '../values.ts'

export function solveOfTeam(state: State, challengeId: string, teamId: string): Solve | undefined {
  const entry = state.challenges.byId.get(challengeId)
  const team = state.teams.slots.get(teamId)
  if (!entry || team === undefined) return undefined
  const slot = findSolve(entry, team)
  return slot < 0 ? undefined : solveView(state.solves, slot, { challengeId, teamId })
}

export function hasSolved(state: State, challengeId: string, teamId: string): boolean {
  const entry = state.challenges.byId.get(challengeId)
  const team = state.teams.slots.get(teamId)
  return entry !== undefined && team !== undefined && findSolve(entry, team) >= 0
}

export function solvedMarks(state: State, challenges: readonly Challenge[], teamId: string): Uint8Array {
  const marks = new Uint8Array(challenges.length)
  const team = state.teams.slots.get(teamId)
  if (team === undefined) return marks
  const entries = entriesOf(state, challenges)
  for (let at = 0; at < marks.length; at += 1) {
    const entry = entries[at]
    if (entry && findSolve(entry, team) >= 0) marks[at] = 1
  }
  return marks
}

function entriesOf({ challenges }: State, list: readonly Challenge[]): readonly (Entry | undefined)[] {
  if (challenges.listed?.list !== list)
    challenges.listed = { list, entries: list.map(({ id }) => challenges.byId.get(id)) }
  return challenges.listed.entries
}

/** Whether all listed solves of the challenge have their ranks. */
export function areRanked({ solves }: State, entry: Entry): boolean {
  entry.isRanked ??= entry.solves
    .subarray(0, entry.solvesLength)
    .every((slot) => solves.globalRank[slot] !== 0)
  return entry.isRanked
}

export function solvedAt(state: State, challengeId: string, teamId: string): number | null {
  const entry = state.challenges.byId.get(challengeId)
  const team = state.teams.slots.get(teamId)
  if (!entry || team === undefined) return null
  const slot = findSolve(entry, team)
  return slot < 0 ? null : (state.solves.at[slot] as number)
}

const ASSISTED = { isAssisted: true } as const

/** Oldest first. */
export function solvesOfTeam(state: State, teamId: string): TeamSolve[] {
  const team = state.teams.slots.get(teamId)
  if (team === undefined) return []
  const { solves } = state
  const solved: { entry: Entry; slot: number }[] = []
  for (const entry of state.challenges.sorted) {
    const slot = findSolve(entry, team)
    if (slot >= 0) solved.push({ entry, slot })
  }
  solved.sort((a, b) => compareSolves(solves, a.slot, b.slot))
  return solved.map(({ entry, slot }) => ({
    challengeId: entry.row.id,
    createdAt: solves.at[slot] as number,
    ...(solves.assisted[slot] === 1 && ASSISTED),
  }))
}

export function solveCountOfTeam(state: State, teamId: string): number {
  const team = state.teams.slots.get(teamId)
  if (team === undefined) return 0
  let count = 0
  for (const entry of state.challenges.sorted) if (findSolve(entry, team) >= 0) count += 1
  return count
}

const noSolves: ChallengeSolves = {
  length: 0,
  slice: () => [],
  countBefore: () => 0,
  positionOf: () => null,
  bloods: () => [],
  pricing: () => ({ solves: 0, firstAt: null }),
}

export function solvesOfChallenge(state: State, challengeId: string): ChallengeSolves {
  const entry = state.challenges.byId.get(challengeId)
  if (!entry) return noSolves
  return {
    length: entry.solvesLength,
    slice(offset, limit) {
      const slots = entry.solves.subarray(0, entry.solvesLength).subarray(offset, offset + limit)
      return Array.from(slots, (slot) => listedSolve(state, entry, slot))
    },
    countBefore(at) {
      let low = 0
      let high = entry.solvesLength
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((state.solves.at[entry.solves[middle] ?? 0] ?? 0) < at) low = middle + 1
        else high = middle
      }
      return low
    },
    positionOf(teamId) {
      const team = state.teams.slots.get(teamId)
      const row = team === undefined ? undefined : state.teams.rows[team]
      if (team === undefined || !row || row.banned) return null
      const slot = findSolve(entry, team)
      return slot < 0 ? null : (state.solves.place[slot] as number) + 1
    },
    bloods: () => bloodSlots(state, entry).map((slot) => listedSolve(state, entry, slot)),
    pricing: (position) => ({
      solves: pricedOf(entry, Math.min(position, entry.counted)),
      firstAt: entry.firstSolveAt,
    }),
  }
}

const BLOODS = 3

/** At most one solve of each team that takes none comes before them. */
function bloodSlots({ solves, teams }: State, entry: Entry): number[] {
  const found: number[] = []
  for (let at = 0; at < entry.solvesLength && found.length < BLOODS; at += 1) {
    const slot = entry.solves[at] as number
    if (isInSet(teams, solves.team[slot] as number, teams.tracks.bloods)) found.push(slot)
  }
  return found
}

function listedSolve({ solves, teams }: State, entry: Entry, slot: number): Solve {
  const teamId = teams.rows[solves.team[slot] ?? 0]?.id ?? ''
  return solveView(solves, slot, { challengeId: entry.row.id, teamId })
}

function solveView(solves: Solves, slot: number, keys: Pick<Solve, 'challengeId' | 'teamId'>): Solve {
  return {
    id: solveIdAt(solves, slot),
    challengeId: keys.challengeId,
    teamId: keys.teamId,
    createdAt: solves.at[slot] as number,
    globalRank: solves.globalRank[slot] || null,
    divisionRank: solves.divisionRank[slot] || null,
    ...(solves.assisted[slot] === 1 && ASSISTED),
  }
}
