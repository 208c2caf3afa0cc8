import {
  hasSolved,
  isPublic,
  type FeedScore,
  type MockChallenge,
  type MockSolve,
  type MockTeam,
  type World,
} from './world.ts'

interface LiveScore extends FeedScore {
  readonly id: string
}

export interface Standing {
  readonly team: MockTeam
  readonly score: number
  /** Null without points. */
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
  /** Solves of public challenges, oldest first. */
  readonly solves: readonly MockSolve[]
  readonly live: readonly LiveScore[]
}

export interface Standings {
  /** Ranked teams, best first. */
  readonly ranked: readonly Standing[]
  readonly byTeam: ReadonlyMap<string, Standing>
  /** Counted solves by public challenge, oldest first. */
  readonly solves: ReadonlyMap<string, readonly MockSolve[]>
  readonly points: ReadonlyMap<string, number>
}

/** Number of solves at which a challenge reaches its minimum points. */
const SOLVES_TO_LEAST = 60

export function valueOf({ min, max }: MockChallenge['points'], solves: number): number {
  const share = Math.min(1, Math.max(0, solves - 1) / SOLVES_TO_LEAST)
  return Math.round(max - (max - min) * Math.sqrt(share))
}

const made = new WeakMap<World, { readonly key: string; readonly standings: Standings }>()

/** The current standings; recomputed only after a change. */
export function standingsOf(world: World): Standings {
  const open = [...world.challenges.values()].filter((challenge) => isPublic(world, challenge))
  const key = `${world.version} ${open.length}`
  const known = made.get(world)
  if (known?.key === key) return known.standings
  const standings = count(world, open)
  made.set(world, { key, standings })
  return standings
}

function count(world: World, open: readonly MockChallenge[]): Standings {
  const solves = new Map(open.map(({ id }): [string, MockSolve[]] => [id, []]))
  const ofTeam = new Map<string, MockSolve[]>()
  for (const solve of world.solves) {
    const team = world.teams.get(solve.teamId)
    const list = solves.get(solve.challengeId)
    if (!team || !list) continue
    const own = ofTeam.get(team.id)
    if (own) own.push(solve)
    else ofTeam.set(team.id, [solve])
    if (!team.banned && team.perms === 0) list.push(solve)
  }
  const points = new Map(
    open.map((each) => [
      each.id,
      each.scoring.kind === 'dynamic' ? 0 : valueOf(each.points, solves.get(each.id)?.length ?? 0),
    ]),
  )
  const unplaced = [...world.teams.values()].map((team): Standing => {
    const own = ofTeam.get(team.id) ?? []
    const live = liveOf(world, team.id, open)
    const flags = own.reduce((sum, { challengeId }) => sum + (points.get(challengeId) ?? 0), 0)
    const adjusted = world.adjustments
      .filter(({ teamId, undoneAt }) => teamId === team.id && undoneAt === null)
      .reduce((sum, each) => sum + each.points, flags)
    const score = live.reduce((sum, each) => sum + each.points, adjusted)
    return { team, score, solves: own, live, globalPlace: null, divisionPlace: null }
  })
  return { solves, points, ...placed(unplaced) }
}

function liveOf(world: World, teamId: string, open: readonly MockChallenge[]): LiveScore[] {
  return open.flatMap(({ id }) => {
    const score = world.feeds.get(id)?.get(teamId)
    return score ? [{ id, ...score }] : []
  })
}

/** Ranks by score, then by who reached it first. */
function placed(unplaced: readonly Standing[]): Pick<Standings, 'ranked' | 'byTeam'> {
  const byTeam = new Map(unplaced.map((each) => [each.team.id, each]))
  const inDivision = new Map<string, number>()
  const ranked = unplaced
    .filter(({ team, score }) => score > 0 && !team.banned && team.perms === 0)
    .sort((left, right) => right.score - left.score || lastOf(left) - lastOf(right))
    .map((standing, index) => {
      const { division } = standing.team
      const divisionPlace = (inDivision.get(division) ?? 0) + 1
      inDivision.set(division, divisionPlace)
      const full = { ...standing, globalPlace: index + 1, divisionPlace }
      byTeam.set(standing.team.id, full)
      return full
    })
  return { ranked, byTeam }
}

function lastOf({ solves }: Standing): number {
  return solves.at(-1)?.createdAt ?? 0
}

const BLOODS = 3

/** 0 to 2 for the first three counted solves. */
export function bloodOf({ solves }: Standings, solve: MockSolve): number | null {
  const index = (solves.get(solve.challengeId) ?? []).slice(0, BLOODS).indexOf(solve)
  return index < 0 ? null : index
}

/** Records a solve; false if the team already has it. */
export function addSolve(world: World, teamId: string, challengeId: string): MockSolve | null {
  if (hasSolved(world, teamId, challengeId)) return null
  const solve = { id: world.nextId('solve'), challengeId, teamId, createdAt: world.now() }
  world.solves.push(solve)
  world.version++
  return solve
}

/** Deletes the solves that `isGone` selects. Returns their number. */
export function removeSolves(world: World, isGone: (solve: MockSolve) => boolean): number {
  const kept = world.solves.filter((solve) => !isGone(solve))
  const removed = world.solves.length - kept.length
  world.solves.splice(0, world.solves.length, ...kept)
  world.version++
  return removed
}

const BUCKET_MS = 600_000

/**
 * The score over time, newest first: sum of current values, one point per ten minutes in which it changed.
 */
export function lineOf(world: World, { points }: Standings, { solves, live }: Standing) {
  const sums = new Map<number, number>([[world.startTime, 0]])
  let score = 0
  for (const { challengeId, createdAt } of solves) {
    score += points.get(challengeId) ?? 0
    const end = Math.ceil((createdAt - world.startTime) / BUCKET_MS) * BUCKET_MS + world.startTime
    sums.set(Math.min(end, world.now()), score)
  }
  const now = Math.min(world.now(), world.endTime)
  const total = live.reduce((sum, each) => sum + each.points, score)
  sums.set(now, total)
  const dynamic = live.length === 0 ? [] : [{ time: now, score: total - score }]
  return {
    points: [...sums].map(([time, sum]) => ({ time, score: sum })).toReversed(),
    dynamicPoints: dynamic,
  }
}
