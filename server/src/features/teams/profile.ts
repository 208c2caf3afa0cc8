import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { TeamRow, WorldView } from '../../world/model.ts'
import { awardedPoints } from './awarded.ts'

/** A solve as profiles show it. */
export interface ProfileSolve {
  readonly challengeId: string
  readonly name: string
  readonly category: string
  /** The challenge's current value and count. */
  readonly points: number
  readonly solves: number
  readonly createdAt: number
  readonly awardedPoints: number | null
  readonly bloodIndex: number | null
}

export interface ProfileScore {
  readonly challengeId: string
  readonly points: number
  readonly pointDelta: number
}

/** What the standings know of a team. */
export interface TeamRecord {
  readonly score: number
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
  readonly solves: readonly ProfileSolve[]
  readonly dynamicScores: readonly ProfileScore[]
}

const emptyRecord: TeamRecord = {
  score: 0,
  globalPlace: null,
  divisionPlace: null,
  solves: [],
  dynamicScores: [],
}

/** What a team's record is read from. */
export interface Standings {
  readonly world: WorldView
  /** The deployment's formula, for what a solve was first worth. */
  readonly score: ScoreFormula
}

/** Score, places, solves and feed scores of a team; nothing while it is banned (participant 5). */
export function recordOf(standings: Standings, { id, banned }: TeamRow): TeamRecord {
  if (banned) return emptyRecord
  const { world } = standings
  const { score, globalPlace, divisionPlace } = world.standing(id)
  const dynamicScores = world
    .dynamicScores(id)
    .map(({ challengeId, points, delta }) => ({ challengeId, points, pointDelta: delta ?? 0 }))
  return { score, globalPlace, divisionPlace, solves: profileSolves(standings, id), dynamicScores }
}

/** Flag solves of public challenges, newest first. */
function profileSolves({ world, score }: Standings, teamId: string): ProfileSolve[] {
  return world
    .solvesOfTeam(teamId)
    .toReversed()
    .flatMap(({ challengeId, createdAt }) => {
      const challenge = world.challenge(challengeId)
      if (!challenge?.isPublic || challenge.scoringKind === 'dynamic') return []
      const { name, category, points, solveCount } = challenge
      const solves = world.solvesOfChallenge(challengeId)
      const position = solves.positionOf(teamId)
      return {
        challengeId,
        name,
        category,
        points,
        solves: solveCount,
        createdAt,
        awardedPoints: awardedPoints({ world, score, challenge, solves, position }),
        bloodIndex: position !== null && position <= 3 ? position - 1 : null,
      }
    })
}
