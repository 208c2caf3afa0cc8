import { adjustmentRows, type AdjustmentRow } from '../src/features/contest/adjustments/rows.ts'
import { hintRows, type HintRow } from '../src/features/contest/hints/rows.ts'
import type {
  Change,
  ChallengeRow,
  FeedEvent,
  FeedRow,
  SolveRow,
  TeamRow,
  TrackSettings,
  WorldRows,
} from '../src/world/model.ts'
import { rowsChange } from '../src/world/row-kind.ts'
import { challengeRow, solveId, teamRow } from './world-rows.ts'

// A contest as the database would store it, changed by random steps that respect its constraints.

export interface Contest {
  readonly teams: Map<string, TeamRow>
  readonly challenges: Map<string, ChallengeRow>
  readonly solves: Map<string, SolveRow>
  readonly feed: Map<string, FeedRow>
  events: FeedEvent[]
  adjustments: AdjustmentRow[]
  readonly hints: Map<string, HintRow>
  settings: WorldRows['settings']
  now: number
  lastEvent: number
}

/** Random numbers from which a step makes its choices. */
export interface Step {
  readonly act: number
  readonly team: number
  readonly challenge: number
  readonly time: number
  readonly value: number
  readonly many: readonly number[]
}

const TEAMS = 8
// More challenges than the limit up to which repricing merges, so that sorting is tested too.
const CHALLENGES = 14
const NAMES = ['Ants', 'ants', 'The Ants', 'antsy', 'Bees', 'ÄNTS']
/**
 * Coarse, so that timestamps often coincide with each other, with bucket boundaries and with the end of the
 * event.
 */
const TICK_MS = 250

/** Recorded ranks start here, above every rank that so few teams can reach. */
export const RECORDED_RANK = 1000

export const eventWindow = { startTime: 10_000, endTime: 60_000 }

export function createContest(): Contest {
  return {
    teams: new Map(),
    challenges: new Map(),
    solves: new Map(),
    feed: new Map(),
    events: [],
    adjustments: [],
    hints: new Map(),
    settings: {},
    now: 0,
    lastEvent: 0,
  }
}

export function rowsOf(contest: Contest): WorldRows {
  return {
    teams: [...contest.teams.values()],
    challenges: [...contest.challenges.values()],
    solves: [...contest.solves.values()],
    feed: [...contest.feed.values()],
    feedEvents: contest.events,
    rows: [
      { of: adjustmentRows, rows: contest.adjustments },
      { of: hintRows, rows: [...contest.hints.values()] },
    ],
    settings: contest.settings,
  }
}

/** Applies the step to the contest and returns the corresponding change for the world. */
export function applyStep(contest: Contest, step: Step): Change {
  const acts = [
    solveBatch,
    solveBatch,
    solveBatch,
    addOrEditTeam,
    addOrEditTeam,
    addOrEditChallenge,
    addOrEditChallenge,
    dropSolves,
    recordRanks,
    dropTeam,
    dropChallenge,
    pushFeed,
    pushFeed,
    clearFeed,
    withdrawScores,
    editSettings,
    passTime,
    adjust,
    adjust,
    editHints,
  ]
  const act = acts[step.act % acts.length] ?? passTime
  return act(contest, step)
}

const teamId = (number: number) => `t${number % TEAMS}`
const challengeId = (number: number) => `c${number % CHALLENGES}`
const key = (challenge: string, team: string) => `${challenge} ${team}`
const pick = <T>(list: readonly T[], number: number) => list[number % list.length] as T

function solveBatch(contest: Contest, step: Step): Change {
  const rows: SolveRow[] = []
  for (const number of step.many) {
    const [challenge, team] = [challengeId(number), teamId(number >> 4)]
    if (!contest.teams.has(team) || !contest.challenges.has(challenge)) continue
    if (contest.solves.has(key(challenge, team))) continue
    const row: SolveRow = {
      id: solveId((number * 7919) % 1_000_003),
      challengeId: challenge,
      teamId: team,
      createdAt: ((step.time + (number % 3)) % 320) * TICK_MS,
      globalRank: null,
      divisionRank: null,
    }
    contest.solves.set(key(challenge, team), row)
    rows.push(row)
  }
  return { kind: 'solves', rows, removed: [] }
}

function recordRanks(contest: Contest, step: Step): Change {
  const rows = [...contest.solves]
    .filter(([, { globalRank }]) => globalRank === null)
    .slice(0, step.value % 5)
    .map(([where, row]) => {
      const ranked = {
        ...row,
        globalRank: RECORDED_RANK + (step.value % 9),
        divisionRank: RECORDED_RANK,
        isAssisted: step.value % 3 === 0,
      }
      contest.solves.set(where, ranked)
      return ranked
    })
  return { kind: 'solves', rows, removed: [] }
}

function dropSolves(contest: Contest, step: Step): Change {
  const removed = [...contest.solves.values()].filter((_, at) => (at + step.value) % 5 === 0)
  for (const row of removed) contest.solves.delete(key(row.challengeId, row.teamId))
  return { kind: 'solves', rows: [], removed }
}

function addOrEditTeam(contest: Contest, step: Step): Change {
  const id = teamId(step.team)
  const old = contest.teams.get(id) ?? teamRow(id, { createdAt: step.time % 3 })
  const edits: Partial<TeamRow>[] = [
    { banned: !old.banned },
    { banned: !old.banned },
    { division: pick(['open', 'school', 'staff'], step.value) },
    { name: pick(NAMES, step.value) },
    { countryCode: pick([null, 'NZ'], step.value) },
    { track: pick([null, 'human', 'agent', 'guest', 'deleted'], step.value) },
    { track: pick(['human', 'agent', 'guest'], step.value) },
    {},
  ]
  const row = { ...old, ...(contest.teams.has(id) ? pick(edits, step.time) : {}) }
  contest.teams.set(id, row)
  return { kind: 'teams', rows: [row], removed: [] }
}

function addOrEditChallenge(contest: Contest, step: Step): Change {
  const id = challengeId(step.challenge)
  const old = contest.challenges.get(id) ?? challengeRow(id, { tiebreakEligible: step.challenge % 4 > 0 })
  const edits: Partial<ChallengeRow>[] = [
    { hidden: !old.hidden },
    { hidden: false, releaseAt: pick([null, (step.value % 320) * TICK_MS], step.time >> 4) },
    { pointsMax: 400 + (step.value % 3) * 100, pointsMin: 50 * (step.value % 3) },
    { scoringKind: pick(['decay', 'static', 'dynamic'] as const, step.value) },
    { tiebreakEligible: !old.tiebreakEligible },
    { sortWeight: pick([null, 1, 2, -1], step.value) },
    { description: `${step.value}` },
  ]
  const row = { ...old, ...(contest.challenges.has(id) ? pick(edits, step.time) : {}) }
  contest.challenges.set(id, row)
  return { kind: 'challenges', rows: [row], removed: [] }
}

function dropTeam(contest: Contest, step: Step): Change {
  const id = teamId(step.team)
  contest.teams.delete(id)
  contest.adjustments = contest.adjustments.filter((row) => row.teamId !== id)
  forget(contest, (row) => row.teamId === id)
  return { kind: 'teams', rows: [], removed: [id] }
}

function dropChallenge(contest: Contest, step: Step): Change {
  const id = challengeId(step.challenge)
  contest.challenges.delete(id)
  forget(contest, (row) => row.challengeId === id)
  return { kind: 'challenges', rows: [], removed: [id] }
}

function forget(contest: Contest, isGone: (row: { teamId: string; challengeId: string }) => boolean): void {
  for (const [where, row] of contest.solves) if (isGone(row)) contest.solves.delete(where)
  for (const [where, row] of contest.feed) if (isGone(row)) contest.feed.delete(where)
  contest.events = contest.events.filter((event) => !isGone(event))
}

function pushFeed(contest: Contest, step: Step): Change {
  // Prefers a dynamic challenge, because pushes to other challenges have no effect.
  const dynamic = [...contest.challenges.values()].filter(({ scoringKind }) => scoringKind === 'dynamic')
  const id = dynamic.length > 0 ? pick(dynamic, step.challenge).id : challengeId(step.challenge)
  if (!contest.challenges.has(id)) return feedChange(contest, id)
  const at = step.time * TICK_MS
  const known = contest.lastEvent
  const entries = new Map(step.many.map((number) => [teamId(number), ((number >> 4) % 7) * 60 - 120]))
  for (const [team, points] of entries) {
    const row = contest.teams.get(team)
    if (!row || row.banned) continue
    const old = contest.feed.get(key(id, team))
    const delta = points - (old?.points ?? 0)
    if (delta === 0) continue
    contest.events.push({ id: (contest.lastEvent += 1), challengeId: id, teamId: team, delta, at })
    const fresh = { challengeId: id, teamId: team, points, scoredAt: old?.scoredAt ?? at, delta, tickAt: at }
    if (points === 0) contest.feed.delete(key(id, team))
    else contest.feed.set(key(id, team), fresh)
  }
  // Sometimes returns a complete feed, as other changes do, or repeats events that are already known.
  if (step.value % 4 === 0) return feedChange(contest, id)
  const first = step.value % 4 === 1 ? known : 0
  const events = contest.events.filter((event) => event.challengeId === id && event.id > first)
  return { kind: 'pushes', events }
}

function clearFeed(contest: Contest, step: Step): Change {
  const id = challengeId(step.challenge)
  for (const [where, row] of contest.feed) if (row.challengeId === id) contest.feed.delete(where)
  contest.events = contest.events.filter((event) => event.challengeId !== id)
  return feedChange(contest, id)
}

/**
 * Simulates an admin who revokes scores: the rows are deleted, and events with opposite deltas correct the
 * history.
 */
function withdrawScores(contest: Contest, step: Step): Change {
  const id = challengeId(step.challenge)
  for (const [where, row] of contest.feed) {
    if (row.challengeId !== id || (row.points / 60) % 2 === 0) continue
    contest.feed.delete(where)
    const at = step.time * TICK_MS
    contest.events.push({ ...row, id: (contest.lastEvent += 1), delta: -row.points, at })
  }
  return feedChange(contest, id)
}

function feedChange(contest: Contest, id: string): Change {
  return {
    kind: 'feed',
    challengeIds: [id],
    rows: [...contest.feed.values()].filter((row) => row.challengeId === id),
    events: contest.events.filter((event) => event.challengeId === id),
  }
}

function editSettings(contest: Contest, step: Step): Change {
  const times = { startTime: (step.value % 40) * TICK_MS * 4, endTime: (step.time % 320) * TICK_MS }
  contest.settings = pick(
    [
      {},
      times,
      { endTime: times.endTime },
      { ctfName: `${step.value}` },
      { tracks: tracksOf(step.value) },
      { ...times, tracks: tracksOf(step.value) },
    ],
    step.challenge,
  )
  return { kind: 'settings', settings: contest.settings }
}

/** Three tracks, each with some of what tracks may do. */
export function tracksOf(number: number): TrackSettings[] {
  const ids = number % 2 === 0 ? ['human', 'agent', 'guest'] : ['guest', 'human']
  return ids.map((id, at) => ({
    id,
    label: id,
    policy: '',
    mayRegister: true,
    getsPrizes: true,
    namesAgent: false,
    isRanked: (number >> (at + 1)) % 2 === 0,
    affectsPoints: (number >> (at + 4)) % 2 === 0,
    takesBloods: (number >> (at + 7)) % 2 === 0,
  }))
}

/** Adds some adjustments and undoes some. */
function adjust(contest: Contest, step: Step): Change {
  const teamIds = [...new Set(step.many.slice(0, 3).map(teamId))]
  contest.adjustments = contest.adjustments.filter(
    (row, at) => !teamIds.includes(row.teamId) || (at + step.value) % 3 > 0,
  )
  for (const [index, team] of teamIds.entries()) {
    if (!contest.teams.has(team)) continue
    contest.adjustments.push({
      id: `a${(step.value * 3 + index) % 50}-${contest.adjustments.length}`,
      teamId: team,
      points: ((step.value + index) % 9) * 60 - 210,
      reason: 'test',
      kind: 'manual',
      at: ((step.time + index) % 320) * TICK_MS,
    })
  }
  const rows = contest.adjustments.filter((row) => teamIds.includes(row.teamId))
  return rowsChange(adjustmentRows, teamIds, rows)
}

/** Writes some hints and deletes some. Those of a missing challenge are kept for when it comes back. */
function editHints(contest: Contest, step: Step): Change {
  const ids = [...new Set(step.many.slice(0, 6).map((number) => `h${number % 40}`))]
  for (const [index, id] of ids.entries()) {
    const number = step.value + index
    if (number % 4 === 0) contest.hints.delete(id)
    else
      contest.hints.set(id, {
        id,
        challengeId: challengeId(number),
        position: number % 3,
        text: 'test',
        price: 0,
        releaseKind: pick(['manual', 'time', 'after'], number),
        releaseAt: number % 3 === 2 || number % 5 === 0 ? null : ((step.time + index) % 320) * TICK_MS,
        releaseMinutes: number % 3 === 2 ? number % 2 : null,
        version: 1,
      })
  }
  const rows = ids.flatMap((id) => contest.hints.get(id) ?? [])
  return rowsChange(hintRows, ids, rows)
}

function passTime(contest: Contest, step: Step): Change {
  contest.now += (step.value % 40) * TICK_MS
  return { kind: 'clock', now: contest.now }
}
