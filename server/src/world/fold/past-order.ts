import { compareAges, ranksOf, sortRanked } from '../order.ts'
import type { Standings, State, Teams } from '../state.ts'
import { isInSet } from '../tracks.ts'

// Ranks in standings that change step by step, without sorting or counting all teams for each step.

/** If more than one team in this many has changed since the order was taken, it is taken again. */
const CHANGED_DIVISOR = 16
const MIN_CHANGED = 4

/** The order of some standings, and the teams whose scores have changed since. */
export interface PastOrder {
  readonly teams: Teams
  /** The standings now; their order is out of date. */
  readonly now: Standings
  /** The standings when the order was taken. */
  base: Standings
  /** Slots, each once. */
  changed: number[]
  readonly isChanged: Uint8Array
}

/** Starts with the order of the state; `now` is a copy of its standings. */
export function createPastOrder({ teams, standings }: State, now: Standings): PastOrder {
  return { teams, now, base: standings, changed: [], isChanged: new Uint8Array(teams.rows.length) }
}

/** Must be called for each team before its rank is asked after its score has changed. */
export function recordChange({ changed, isChanged }: PastOrder, team: number): void {
  if (isChanged[team] === 1) return
  isChanged[team] = 1
  changed.push(team)
}

interface Rank {
  readonly global: number
  readonly inDivision: number
}

/** Of a team whose track is not in the main standings. */
const NO_RANK: Rank = { global: 0, inDivision: 0 }

/** The ranks of a team with a counted row. */
export function rankOf(past: PastOrder, team: number): Rank {
  const { teams } = past
  if (!isInSet(teams, team, teams.tracks.ranked)) return NO_RANK
  if (past.changed.length > Math.max(MIN_CHANGED, past.base.ranked / CHANGED_DIVISOR)) takeOrder(past)
  const { now, base } = past
  const own: Own = {
    teams,
    team,
    score: now.score[team] as number,
    lastTie: now.lastTie[team] as number,
    last: now.last[team] as number,
  }
  const division = teams.divisionOf[team] as number
  const ranks = ranksOf({ standings: base, teams })
  const inDivision = ranks.divisions[division]
  let ahead = countAhead(own, base, ranks.order)
  let aheadInDivision = inDivision ? countAhead(own, base, inDivision) : 0
  for (const other of past.changed) {
    if (!isInSet(teams, other, teams.tracks.ranked)) continue
    const change = Number(isAhead(own, now, other)) - Number(isAhead(own, base, other))
    ahead += change
    if (teams.divisionOf[other] === division) aheadInDivision += change
  }
  return { global: ahead + 1, inDivision: aheadInDivision + 1 }
}

/** A team and its values. */
interface Own {
  readonly teams: Teams
  readonly team: number
  readonly score: number
  readonly lastTie: number
  readonly last: number
}

/** Whether another team, with its values in `standings`, is ranked before this one. */
function isAhead(own: Own, { counted, score, lastTie, last }: Standings, other: number): boolean {
  if (counted[other] === 0) return false
  if (score[other] !== own.score) return (score[other] as number) > own.score
  if (lastTie[other] !== own.lastTie) return (lastTie[other] as number) < own.lastTie
  if (last[other] !== own.last) return (last[other] as number) < own.last
  return compareAges(own.teams, other, own.team) < 0
}

/** How many teams of an ordered list are ranked before this one. */
function countAhead(own: Own, standings: Standings, slots: Int32Array): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAhead(own, standings, slots[middle] as number)) low = middle + 1
    else high = middle
  }
  return low
}

function takeOrder(past: PastOrder): void {
  const { now, base, teams, isChanged } = past
  const order = base.order.slice()
  let ranked = 0
  for (let from = 0; from < base.ranked; from += 1) {
    const team = order[from] as number
    if (now.counted[team] !== 0) order[ranked++] = team
  }
  past.base = { ...copyOf(now), order, ranked, ranks: null }
  sortRanked({ standings: past.base, teams })
  for (const team of past.changed) isChanged[team] = 0
  past.changed = []
}

/** A copy of the scores and times. */
export function copyOf(standings: Standings): Standings {
  const { score, counted, last, lastTie } = standings
  return {
    ...standings,
    score: score.slice(),
    counted: counted.slice(),
    last: last.slice(),
    lastTie: lastTie.slice(),
  }
}
