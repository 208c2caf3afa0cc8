import { LRUCache } from 'lru-cache'
import { countLookups } from '../../../lib/cache-counts.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { assistedMark, trackMark } from '../../contest/visibility/tracks.ts'
import { dynamicScoreView } from './views.ts'

/** Renders rows of the V2 leaderboard as JSON, in parts that the caller joins. */
export interface RowTexts {
  /** `trends` has the trend of each team, in the same order. */
  rows(world: WorldView, teamIds: readonly string[], trends?: readonly unknown[]): (string | Buffer)[]
}

/** The parts of a row that only change with the team itself or with the set of public challenges. */
interface TeamText {
  readonly version: number
  readonly publicSet: PublicSet
  readonly head: string
  /** The solves, which are most of a row. Stored as bytes, so that joining a page needs no encoding. */
  readonly middle: Buffer
  readonly tail: string
}

/** The public challenges. `openings` has the JSON start of a solve by challenge id. */
interface PublicSet {
  readonly world: WorldView
  readonly openings: ReadonlyMap<string, string>
  readonly hasDynamic: boolean
}

// A team with 40 solves takes about 2.5 KB. The cache is large enough for the pages in use, not for all teams
// of a large event.
const CACHED_TEAMS = { max: 8192, maxSize: 16 * 1024 * 1024 }

export function createRowTexts(): RowTexts {
  const cache = new LRUCache<string, TeamText>(CACHED_TEAMS)
  const countLookup = countLookups('leaderboard rows', CACHED_TEAMS.max)
  let publicSet: PublicSet | null = null
  let checkedVersion = -1

  function publicSetOf(world: WorldView): PublicSet {
    const { challenges } = world.versions
    if (!mayUseCaches()) return renewed(null, world)
    if (publicSet?.world === world && checkedVersion === challenges) return publicSet
    checkedVersion = challenges
    publicSet = renewed(publicSet, world)
    return publicSet
  }

  function textOf(world: WorldView, team: TeamRow, set: PublicSet): TeamText {
    if (!mayUseCaches()) return renderTeam(world, team, set)
    const version = world.teamVersion(team.id)
    const found = cache.get(team.id)
    const isCurrent = found?.version === version && found.publicSet === set
    countLookup(isCurrent)
    if (isCurrent) return found
    const text = renderTeam(world, team, set)
    cache.set(team.id, text, { size: text.head.length + text.middle.length + text.tail.length })
    return text
  }

  return {
    rows(world, teamIds, trends) {
      const set = publicSetOf(world)
      const parts: (string | Buffer)[] = []
      for (const [at, id] of teamIds.entries()) {
        const team = world.team(id)
        if (!team) continue
        if (parts.length > 0) parts.push(',')
        const row = renderRow(world, id, textOf(world, team, set))
        parts.push(...row, trends ? `,"trend":${JSON.stringify(trends[at])}}` : '}')
      }
      return parts
    },
  }
}

/** Keeps the old set while it has the same challenges: a row does not show their values and solve counts. */
function renewed(old: PublicSet | null, world: WorldView): PublicSet {
  const challenges = world.publicChallenges()
  const hasDynamic = challenges.some(({ scoringKind }) => scoringKind === 'dynamic')
  const isSame =
    old !== null &&
    old.world === world &&
    old.hasDynamic === hasDynamic &&
    old.openings.size === challenges.length &&
    challenges.every(({ id }) => old.openings.has(id))
  if (isSame) return old
  const openings = new Map(challenges.map(({ id }) => [id, `{"id":${JSON.stringify(id)},"solveTime":`]))
  return { world, openings, hasDynamic }
}

// Concatenated by hand, because most of a page does not change between versions. A test compares it with the
// plain view.
function renderTeam(world: WorldView, team: TeamRow, publicSet: PublicSet): TeamText {
  const { id, name, avatarUrl, countryCode, statusText, division } = team
  const solves: string[] = []
  for (const solve of world.solvesOfTeam(id)) {
    const opening = publicSet.openings.get(solve.challengeId)
    const mark = assistedMark(world, solve).assisted ? ',"assisted":true' : ''
    if (opening !== undefined) solves.push(`${opening}${solve.createdAt}${mark}}`)
  }
  const shown = JSON.stringify({ avatarUrl, countryCode, statusText }).slice(1, -1)
  return {
    version: world.teamVersion(id),
    publicSet,
    head: `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"score":`,
    middle: Buffer.from(`,${shown},"solves":[${solves.join(',')}],"dynamicScores":`),
    tail: `,"division":${JSON.stringify(division)},"divisionPlace":`,
  }
}

function renderRow(world: WorldView, teamId: string, text: TeamText): (string | Buffer)[] {
  const { score, globalRank, divisionRank } = world.standing(teamId)
  // Not cached: a team's delta can disappear when a later tick changes other teams, without a new team
  // version.
  const dynamic = text.publicSet.hasDynamic
    ? JSON.stringify(world.dynamicScores(teamId).map(dynamicScoreView))
    : '[]'
  const { track } = trackMark(world, teamId)
  const mark = track === undefined ? '' : `,"track":${JSON.stringify(track)}`
  const ranks = `${divisionRank ?? 0},"globalPlace":${globalRank}${mark}`
  return [`${text.head}${score}`, text.middle, `${dynamic}${text.tail}${ranks}`]
}
