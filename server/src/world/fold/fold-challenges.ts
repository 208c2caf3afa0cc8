import { isJsonEqual } from '../json-equal.ts'
import type { Change, ChallengeRow } from '../model.ts'
import { nextSolvesVersion } from '../solves.ts'
import { recomputeStandings } from '../standings.ts'
import { isPublicAt } from '../values.ts'
import {
  bumpBoard,
  bumpChallengeVersion,
  bumpTeamVersion,
  bumpVersion,
  type Challenges,
  type Entry,
  type State,
} from '../state.ts'
import { emptyFeed, teamsOf } from './feed.ts'
import { updateReleases } from './releases.ts'

type ChallengesChange = Extract<Change, { readonly kind: 'challenges' }>

/** What a change of one challenge affects. `hidden`: standings, but of organisers alone. */
type Effect = 'none' | 'text' | 'hidden' | 'standings'

/** Applies changed challenges in place. */
export function foldChallenges(state: State, { rows, removed }: ChallengesChange): void {
  const effects = [
    ...removed.map((id) => removeChallenge(state, id)),
    ...rows.map((row) => upsertChallenge(state, row)),
  ]
  if (effects.every((effect) => effect === 'none')) return
  sortChallenges(state.challenges)
  updateReleases(state)
  bumpVersion(state, 'challenges')
  if (!effects.some((effect) => effect === 'standings' || effect === 'hidden')) return
  recomputeStandings(state)
  bumpBoard(state, [], effects.includes('standings'))
}

function upsertChallenge(state: State, row: ChallengeRow): Effect {
  const entry = state.challenges.byId.get(row.id)
  const scored = entry?.isPublic || isPublicAt(row, state.now) ? 'standings' : 'hidden'
  if (!entry || isRecreated(entry.row, row)) {
    removeChallenge(state, row.id)
    addChallenge(state.challenges, row)
    return scored
  }
  if (isJsonEqual(entry.row, row)) return 'none'
  const effect = isScoredAlike(entry.row, row) ? 'text' : scored
  entry.row = row
  bumpChallengeVersion(state, entry)
  return effect
}

/** Deleted and created again under the same id. */
function isRecreated(a: ChallengeRow, b: ChallengeRow): boolean {
  return a.n !== undefined && b.n !== undefined && a.n !== b.n
}

/** Whether the fields that the standings depend on are equal. */
function isScoredAlike(a: ChallengeRow, b: ChallengeRow): boolean {
  return (
    a.pointsMin === b.pointsMin &&
    a.pointsMax === b.pointsMax &&
    a.tiebreakEligible === b.tiebreakEligible &&
    a.hidden === b.hidden &&
    a.releaseAt === b.releaseAt &&
    a.scoringKind === b.scoringKind
  )
}

function removeChallenge(state: State, id: string): Effect {
  const entry = state.challenges.byId.get(id)
  if (!entry) return 'none'
  state.challenges.byId.delete(id)
  for (const team of teamsOn(entry)) bumpTeamVersion(state, team)
  for (const stored of entry.solveOf) if (stored !== 0) state.solves.free.push(stored - 1)
  return entry.isPublic ? 'standings' : 'hidden'
}

function teamsOn(entry: Entry): Set<number> {
  const teams = teamsOf(entry.feed)
  for (const [team, stored] of entry.solveOf.entries()) if (stored !== 0) teams.add(team)
  return teams
}

/** The caller sorts the challenges and recomputes the standings. */
export function addChallenge(challenges: Challenges, row: ChallengeRow): void {
  challenges.byId.set(row.id, {
    row,
    isPublic: false,
    released: {},
    solves: new Int32Array(0),
    solvesLength: 0,
    solvesVersion: nextSolvesVersion(),
    isRanked: null,
    solveOf: new Int32Array(0),
    feed: emptyFeed(),
    counted: 0,
    priced: null,
    firstSolveAt: null,
    points: 0,
    shownCount: 0,
    view: null,
    tally: null,
    steps: null,
    ranking: null,
  })
}

export function sortChallenges(challenges: Challenges): void {
  challenges.sorted = [...challenges.byId.values()].sort((a, b) => {
    const byWeight = (a.row.sortWeight ?? Infinity) - (b.row.sortWeight ?? Infinity)
    // The difference of two unset weights is NaN, which is falsy.
    return byWeight || (a.row.id < b.row.id ? 1 : -1)
  })
}
