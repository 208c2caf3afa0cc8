import { boundedMap } from '../../lib/bounded-map.ts'
import type { TeamRow, WorldView } from '../../world/model.ts'
import { dynamicScoreView } from './views.ts'

/** Writes rows of the V2 board as JSON, in parts that are joined by the caller. */
export interface RowTexts {
  rows(world: WorldView, teamIds: readonly string[]): (string | Buffer)[]
}

/** The parts of a row that stay while the team itself and the set of public challenges stay. */
interface TeamText {
  readonly version: number
  readonly publicSet: PublicSet
  readonly head: string
  /** The bulk of a row, its solves: as bytes, which need no encoding when pages are joined. */
  readonly middle: Buffer
  readonly tail: string
}

/** The public challenges as rows show them: the start of a solve's text by challenge id. */
interface PublicSet {
  readonly world: WorldView
  readonly openings: ReadonlyMap<string, string>
  readonly hasDynamic: boolean
}

// Texts of 40 solves are about 2.5 KB: enough for the pages that are looked at, not for all of a large event.
const KEPT_TEAMS = { maxEntries: 10_000, maxSize: 16 * 1024 * 1024 }

export function createRowTexts(): RowTexts {
  const kept = boundedMap<TeamText>(KEPT_TEAMS)
  let publicSet: PublicSet | null = null
  let checkedVersion = -1

  function publicSetOf(world: WorldView): PublicSet {
    const { challenges } = world.versions
    if (publicSet?.world === world && checkedVersion === challenges) return publicSet
    checkedVersion = challenges
    publicSet = renewed(publicSet, world)
    return publicSet
  }

  function textOf(world: WorldView, team: TeamRow, set: PublicSet): TeamText {
    const version = world.teamVersion(team.id)
    const found = kept.get(team.id)
    if (found?.version === version && found.publicSet === set) return found
    const text = renderTeam(world, team, set)
    kept.set(team.id, text, text.head.length + text.middle.length + text.tail.length)
    return text
  }

  return {
    rows(world, teamIds) {
      const set = publicSetOf(world)
      const parts: (string | Buffer)[] = []
      for (const id of teamIds) {
        const team = world.team(id)
        if (!team) continue
        if (parts.length > 0) parts.push(',')
        parts.push(...renderRow(world, id, textOf(world, team, set)))
      }
      return parts
    },
  }
}

/** The old set as long as it names the same challenges: values and counts do not show in a row. */
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

// Joined by hand, because most of a page is the same from version to version; a test holds it against the plain view.
function renderTeam(world: WorldView, team: TeamRow, publicSet: PublicSet): TeamText {
  const { id, name, avatarUrl, countryCode, statusText, division } = team
  const solves: string[] = []
  for (const { challengeId, createdAt } of world.solvesOfTeam(id)) {
    const opening = publicSet.openings.get(challengeId)
    if (opening !== undefined) solves.push(`${opening}${createdAt}}`)
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
  const { score, globalPlace, divisionPlace } = world.standing(teamId)
  // Not kept: a team's delta goes when others move in a later tick, which leaves the team's own version as it is.
  const dynamic = text.publicSet.hasDynamic
    ? JSON.stringify(world.dynamicScores(teamId).map(dynamicScoreView))
    : '[]'
  const places = `${divisionPlace ?? 0},"globalPlace":${globalPlace}}`
  return [`${text.head}${score}`, text.middle, `${dynamic}${text.tail}${places}`]
}
