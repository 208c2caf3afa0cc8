import { mayUseCaches } from '../../../lib/caching.ts'
import type { Challenge, TeamRow, WorldView } from '../../../world/model.ts'
import type { ChallengeScores, ChallengeSolves, PastRanks, Solve, Standing } from '../../../world/reads.ts'
import { isIn, type Extent, type Teams } from './rules.ts'

// The world as callers with the same extent may see it. What is not in it cannot leak: a team of another division, and the results
// and challenges of a closed part, look as if they did not exist. Points are those of all divisions. In the same way a caller reads the
// standings of some tracks alone: docs/decisions/0050-read-tracks-like-divisions.md

const views = new WeakMap<WorldView, Map<string, WorldView>>()
/** Bounds the views of a world: divisions come from the configuration. */
const MAX_VIEWS = 256

export function seenIn(world: WorldView, extent: Extent): WorldView {
  if (extent.key === '') return world
  if (!mayUseCaches()) return limited(world, extent)
  const known = views.get(world) ?? new Map<string, WorldView>()
  views.set(world, known)
  let view = known.get(extent.key)
  if (!view) {
    if (known.size >= MAX_VIEWS) known.clear()
    known.set(extent.key, (view = limited(world, extent)))
  }
  return view
}

/** The same world, read live. */
function limited(world: WorldView, extent: Extent): WorldView {
  const { key } = extent
  const own = {
    askedTracks: extent.tracks,
    ...teamReads(world, extent),
    ...challengeReads(world, extent),
    ...resultReads(world, extent),
    // Ranks within tracks are not recorded, so each change of the scoreboard changes them.
    solvesKey: (id: string) =>
      `${world.solvesKey(id)}${key}${idsOf(extent) === null ? '' : world.versions.board}`,
  }
  const view = Object.assign(Object.create(world) as WorldView, own)
  for (const name of ['boardKey', 'placesKey', 'settingsKey'] as const)
    Object.defineProperty(view, name, { get: () => world[name] + key, configurable: true })
  return view
}

function teamReads(world: WorldView, { board, profiles }: Extent): Partial<WorldView> {
  const plain = new WeakMap<TeamRow, TeamRow>()

  function withoutProfile(row: TeamRow): TeamRow {
    const known = plain.get(row) ?? { ...row, avatarUrl: null, countryCode: null, statusText: null }
    plain.set(row, known)
    return known
  }

  function seen(row: TeamRow | undefined): TeamRow | undefined {
    if (!row || isIn(profiles, row.division)) return row
    return isIn(board, row.division) ? withoutProfile(row) : undefined
  }

  return {
    team: (id) => seen(world.team(id)),
    *teams() {
      for (const row of world.teams()) {
        const shown = seen(row)
        if (shown) yield shown
      }
    },
    findTeamByExtrankId: (id) => seen(world.findTeamByExtrankId(id)),
    findTeamByEmail: (address) => seen(world.findTeamByEmail(address)),
  }
}

function challengeReads(world: WorldView, extent: Extent): Partial<WorldView> {
  const { hasChallenges, board } = extent
  const isCounted = hasChallenges && (isDivision(board) || idsOf(extent) !== null)
  if (hasChallenges && !isCounted) {
    // Lists are keys of caches, so no other view may have the same one.
    const lists = memo((all: readonly Challenge[]) => [...all])
    return { publicChallenges: () => lists(world.publicChallenges()) }
  }
  const none: readonly Challenge[] = []
  const render = () => {
    const one = memo((challenge: Challenge): Challenge => {
      if (!hasChallenges) return { ...challenge, isPublic: false }
      const { id, scoringKind } = challenge
      const list = scoringKind === 'dynamic' ? scoresIn(world, id, extent) : solvesIn(world, id, extent)
      return { ...challenge, solveCount: list.length }
    })
    return { one, list: memo((all: readonly Challenge[]) => all.map(one)) }
  }
  let version = world.versions.teams
  let rendered = render()
  /** New solves make new challenges; a team that changes its division does not. */
  const current = () => {
    if (world.versions.teams === version) return rendered
    version = world.versions.teams
    return (rendered = render())
  }
  return {
    challenge(id) {
      const found = world.challenge(id)
      return found && current().one(found)
    },
    challenges: () => current().list(world.challenges()),
    publicChallenges: () => (hasChallenges ? current().list(world.publicChallenges()) : none),
  }
}

function resultReads(world: WorldView, extent: Extent): Partial<WorldView> {
  const { board, hasChallenges } = extent
  const has = isInExtent(world, extent)
  const tracks = idsOf(extent) ?? undefined
  const division = isDivision(board) ? board.division : null
  /** The division that a filter leads to; undefined for all, null for none. */
  const filtered = (asked: string | undefined) => {
    if (board === 'none') return null
    return division === null ? asked : asked === undefined || asked === division ? division : null
  }
  const all = (ids: readonly string[]) => ids.filter(has)
  return {
    standing: (id) => (has(id) ? ranksIn(world.standing(id, tracks), division) : NO_STANDING),
    rankedCount(asked) {
      const within = filtered(asked)
      return within === null ? 0 : world.rankedCount(within, tracks)
    },
    ranked(page) {
      const within = filtered(page.division)
      return within === null ? [] : world.ranked({ ...page, division: within, tracks })
    },
    searchRanked(text, asked) {
      const within = filtered(asked)
      return within === null ? [] : world.searchRanked(text, within, tracks)
    },
    solve(challengeId, teamId) {
      const found = has(teamId) ? world.solve(challengeId, teamId) : undefined
      return found && placedIn(found, extent)
    },
    hasSolved: (challengeId, teamId) => has(teamId) && world.hasSolved(challengeId, teamId),
    solvedMarks: (list, teamId) =>
      has(teamId) ? world.solvedMarks(list, teamId) : new Uint8Array(list.length),
    solvedAt: (challengeId, teamId) => (has(teamId) ? world.solvedAt(challengeId, teamId) : null),
    solvesOfTeam: (id) => (has(id) ? world.solvesOfTeam(id) : []),
    solvesOfChallenge: (id) => solvesIn(world, id, extent),
    solveCountOfTeam: (id) => (has(id) ? world.solveCountOfTeam(id) : 0),
    dynamicScores: (id) => (has(id) && hasChallenges ? world.dynamicScores(id) : []),
    dynamicScore: (challengeId, id) =>
      has(id) && hasChallenges ? world.dynamicScore(challengeId, id) : undefined,
    feedScoresOfTeam: (id) => (has(id) ? world.feedScoresOfTeam(id) : []),
    scoresOfChallenge: (id) => scoresIn(world, id, hasChallenges ? extent : { ...extent, board: 'none' }),
    graph: (ids, sampleMs) => world.graph(all(ids), sampleMs),
    scoresAt: (ids, past) =>
      world.scoresAt(ids, past).map((scores, at) => (has(ids[at] ?? '') ? scores : scores.map(() => 0))),
    ranksAt: (time, sampleMs) => pastIn(world.ranksAt(time, sampleMs, tracks), { has, division }),
  }
}

const NO_STANDING: Standing = { score: 0, globalRank: null, divisionRank: null }

function isDivision(teams: Teams): teams is Exclude<Teams, string> {
  return typeof teams === 'object'
}

function memo<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}

/** The tracks whose standings are read, or null for the main ones. */
function idsOf({ tracks }: Extent): readonly string[] | null {
  return tracks === 'main' ? null : tracks
}

/** Whether a team is in the standings that are read. */
function isInExtent(world: WorldView, extent: Extent): (teamId: string) => boolean {
  const tracks = idsOf(extent)
  return (id) =>
    isIn(extent.board, world.team(id)?.division) &&
    (tracks === null || tracks.includes(world.trackOf(id) ?? ''))
}

/** Within a division its ranks are the only ones. */
function ranksIn(standing: Standing, division: string | null): Standing {
  return division === null ? standing : { ...standing, globalRank: standing.divisionRank }
}

function placedIn(solve: Solve, { board, tracks }: Extent): Solve {
  if (tracks !== null && tracks !== 'main') return { ...solve, globalRank: null, divisionRank: null }
  return isDivision(board) ? { ...solve, globalRank: solve.divisionRank } : solve
}

interface Kept {
  readonly key: string
  readonly list: ChallengeSolves
}

interface ListRules {
  readonly takesBloods: (solve: Solve) => boolean
  readonly affectsPoints: (solve: Solve) => boolean
}

function listOf(solves: readonly Solve[], { takesBloods, affectsPoints }: ListRules): ChallengeSolves {
  const bloods = solves.filter(takesBloods).slice(0, 3)
  const positions = new Map(solves.map(({ teamId }, at) => [teamId, at + 1]))
  return {
    length: solves.length,
    slice: (offset, limit) => solves.slice(offset, offset + limit),
    countBefore: (at) => solves.filter(({ createdAt }) => createdAt < at).length,
    positionOf: (teamId) => positions.get(teamId) ?? null,
    bloods: () => bloods,
    pricing(position) {
      const priced = solves.slice(0, position).filter(affectsPoints)
      return { solves: priced.length, firstAt: solves.find(affectsPoints)?.createdAt ?? null }
    },
  }
}

const NO_SOLVES = listOf([], { takesBloods: () => false, affectsPoints: () => false })

/** The solves of each challenge by extent: a solve makes the list of its challenge alone again. */
const solvesOf = new WeakMap<WorldView, Map<string, Kept>>()
/** Lists that are kept of a world: those of 200 challenges for 100 divisions and sets of tracks. */
const MAX_LISTS = 20_000

function solvesIn(world: WorldView, id: string, extent: Extent): ChallengeSolves {
  if (extent.board === 'none') return NO_SOLVES
  const isAll = extent.board === 'all' && idsOf(extent) === null
  return isAll ? world.solvesOfChallenge(id) : solvesWithin(world, id, extent)
}

function solvesWithin(world: WorldView, id: string, extent: Extent): ChallengeSolves {
  const known = solvesOf.get(world) ?? new Map<string, Kept>()
  solvesOf.set(world, known)
  const tracks = idsOf(extent)
  const name = JSON.stringify([id, extent.board, tracks])
  // Teams that change their division are in the board's version.
  const key = `${world.solvesKey(id)} ${world.versions.teams}`
  const found = known.get(name)
  if (known.size > MAX_LISTS) known.clear()
  if (found?.key === key && mayUseCaches()) return found.list
  const has = isInExtent(world, extent)
  const all = world.solvesOfChallenge(id)
  const solves = all
    .slice(0, all.length)
    .filter(({ teamId }) => has(teamId))
    .map((solve) => placedIn(solve, extent))
  const rules = world.settings.tracks ?? []
  const trackOf = ({ teamId }: Solve) => rules.find((track) => track.id === world.trackOf(teamId))
  const list = listOf(solves, {
    // Within tracks that are asked for, all of them compete.
    takesBloods: (solve) => tracks !== null || (trackOf(solve)?.takesBloods ?? true),
    affectsPoints: (solve) => trackOf(solve)?.affectsPoints ?? true,
  })
  known.set(name, { key, list })
  return list
}

function scoresIn(world: WorldView, id: string, extent: Extent): ChallengeScores {
  const all = world.scoresOfChallenge(id)
  if (extent.board === 'all' && idsOf(extent) === null) return all
  const has = isInExtent(world, extent)
  const scores = all
    .slice(0, all.length)
    .filter(({ teamId }) => has(teamId))
    .map((score, at) => ({ ...score, rank: at + 1 }))
  const ranks = new Map(scores.map(({ teamId, rank }) => [teamId, rank]))
  return {
    length: scores.length,
    slice: (offset, limit) => scores.slice(offset, offset + limit),
    rankOf: (teamId) => ranks.get(teamId) ?? null,
    graph: (ids, sampleMs) =>
      all.graph(ids, sampleMs).map((points, at) => (ranks.has(ids[at] ?? '') ? points : [])),
  }
}

interface Within {
  readonly has: (teamId: string) => boolean
  readonly division: string | null
}

function pastIn(past: PastRanks, { has, division }: Within): PastRanks {
  const only = (ranks: ReadonlyMap<string, number>) => new Map([...ranks].filter(([id]) => has(id)))
  const inDivision = only(past.inDivision)
  // In rank order, as all maps of the past.
  const global = only(past.global)
  if (division !== null) for (const id of global.keys()) global.set(id, inDivision.get(id) ?? 0)
  return { ...past, global, inDivision, scores: only(past.scores) }
}
