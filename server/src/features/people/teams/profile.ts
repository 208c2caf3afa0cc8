import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { bloodIndexOf } from '../../contest/challenges/rules.ts'
import { awardedPoints } from './awarded.ts'

/** A solve as shown on profiles. */
export interface ProfileSolve {
  readonly challengeId: string
  readonly name: string
  readonly category: string
  /** Current value and solve count of the challenge. */
  readonly points: number
  readonly solves: number
  readonly createdAt: number
  readonly awardedPoints: number | null
  readonly bloodIndex: number | null
  readonly isAssisted?: true
}

export interface ProfileScore {
  readonly challengeId: string
  readonly points: number
  readonly pointDelta: number
}

/** A team's results from the standings. */
export interface TeamRecord {
  readonly score: number
  readonly globalRank: number | null
  readonly divisionRank: number | null
  readonly solves: readonly ProfileSolve[]
  readonly dynamicScores: readonly ProfileScore[]
}

export const emptyRecord: TeamRecord = {
  score: 0,
  globalRank: null,
  divisionRank: null,
  solves: [],
  dynamicScores: [],
}

/** The sources of a team's record. */
export interface Standings {
  readonly world: WorldView
  /** The deployment's score formula, which gives the first value of a solve. */
  readonly score: ScoreFormula
}

/**
 * A team's score, ranks, solves and feed scores; empty while it is banned:
 * docs/reference/teams.md#banned-teams
 */
export function recordOf(standings: Standings, { id, banned }: TeamRow): TeamRecord {
  if (banned) return emptyRecord
  const { world } = standings
  const { score, globalRank, divisionRank } = world.standing(id)
  const dynamicScores = profileScores(world, id)
  return { score, globalRank, divisionRank, solves: profileSolves(standings, id), dynamicScores }
}

export function profileScores(world: WorldView, teamId: string): ProfileScore[] {
  return world
    .dynamicScores(teamId)
    .map(({ challengeId, points, delta }) => ({ challengeId, points, pointDelta: delta ?? 0 }))
}

/**
 * The solves that the team itself sees: those after the freeze too, with what the challenge is worth on the frozen scoreboard, but
 * without a place.
 */
export function ownSolvesOf(
  standings: Standings & { readonly live: WorldView },
  { id, banned }: TeamRow,
): ProfileSolve[] {
  return banned ? [] : profileSolves(standings, id, standings.live)
}

function profileSolves({ world, score }: Standings, teamId: string, solved = world): ProfileSolve[] {
  return shownSolves(world, teamId, solved).map(({ challenge, solves, position, ...shown }) => {
    const { name, category, points, solveCount } = challenge
    return {
      ...shown,
      name,
      category,
      points,
      solves: solveCount,
      awardedPoints: awardedPoints({ world, score, challenge, solves, position }),
    }
  })
}

/** Flag solves of public challenges, newest first. `solved` has the team's solves, `world` their places. */
export function shownSolves(world: WorldView, teamId: string, solved: WorldView) {
  return solved
    .solvesOfTeam(teamId)
    .toReversed()
    .flatMap(({ challengeId, createdAt, ...mark }) => {
      const challenge = world.challenge(challengeId)
      if (!challenge?.isPublic || challenge.scoringKind === 'dynamic') return []
      const solves = world.solvesOfChallenge(challengeId)
      const position = solves.positionOf(teamId)
      const bloodIndex = bloodIndexOf(solves, teamId)
      return { challengeId, createdAt, ...mark, bloodIndex, challenge, solves, position }
    })
}
