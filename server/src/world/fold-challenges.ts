import { countsAlike, createEntry, sortChallenges, type Entry } from './challenges.ts'
import { teamsOf } from './feed.ts'
import type { Change, ChallengeRow } from './model.ts'
import { isSame } from './same.ts'
import { standAgain } from './standings.ts'
import { raise, raiseChallenge, raiseTeam, type State } from './state.ts'

type ChallengesChange = Extract<Change, { readonly kind: 'challenges' }>

/** How far a change of one challenge reaches. */
type Reach = 'none' | 'text' | 'standings'

export function foldChallenges(state: State, { rows, removed }: ChallengesChange): void {
  const reaches = [
    ...removed.map((id) => forgetChallenge(state, id)),
    ...rows.map((row) => upsertChallenge(state, row)),
  ]
  if (reaches.every((reach) => reach === 'none')) return
  sortChallenges(state.challenges)
  planRelease(state)
  raise(state, 'challenges')
  if (!reaches.includes('standings')) return
  standAgain(state)
  raise(state, 'board')
}

function upsertChallenge(state: State, row: ChallengeRow): Reach {
  const { byId } = state.challenges
  const entry = byId.get(row.id)
  if (!entry || isAnother(entry.row, row)) {
    forgetChallenge(state, row.id)
    byId.set(row.id, createEntry(row))
    return 'standings'
  }
  if (isSame(entry.row, row)) return 'none'
  const reach = countsAlike(entry.row, row) ? 'text' : 'standings'
  entry.row = row
  raiseChallenge(state, entry)
  return reach
}

/** Made again under the same id. */
function isAnother(a: ChallengeRow, b: ChallengeRow): boolean {
  return a.n !== undefined && b.n !== undefined && a.n !== b.n
}

function forgetChallenge(state: State, id: string): Reach {
  const entry = state.challenges.byId.get(id)
  if (!entry) return 'none'
  state.challenges.byId.delete(id)
  for (const team of teamsOn(entry)) raiseTeam(state, team)
  for (const stored of entry.solveOf) if (stored !== 0) state.solves.free.push(stored - 1)
  return 'standings'
}

function teamsOn(entry: Entry): Set<number> {
  const teams = teamsOf(entry.feed)
  for (const [team, stored] of entry.solveOf.entries()) if (stored !== 0) teams.add(team)
  return teams
}

/** Hidden challenges do not count: their release changes nothing. */
export function planRelease(state: State): void {
  const times = state.challenges.sorted.flatMap(({ row }) => {
    const isWaiting = !row.hidden && row.releaseAt !== null && row.releaseAt > state.now
    return isWaiting && row.releaseAt !== null ? [row.releaseAt] : []
  })
  state.nextReleaseAt = times.length === 0 ? null : Math.min(...times)
}
