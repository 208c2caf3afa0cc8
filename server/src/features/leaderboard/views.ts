import type { BoardChallenge, BoardRowV1, BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import type { Challenge, DynamicScore, WorldView } from '../../world/model.ts'
import { reportedKind } from '../challenges/rules.ts'

const FIRST_SOLVERS = 3

export function boardRowV1(world: WorldView, teamId: string): z.input<typeof BoardRowV1> {
  return { id: teamId, name: world.team(teamId)?.name ?? '', score: world.standing(teamId).score }
}

export function dynamicScoreView(score: DynamicScore): z.input<typeof BoardRowV2>['dynamicScores'][number] {
  return { id: score.challengeId, points: score.points, pointDelta: score.delta ?? 0 }
}

export function boardChallenge(world: WorldView, challenge: Challenge): z.input<typeof BoardChallenge> {
  const { id, name, category, solveCount, points, sortWeight, scoringKind } = challenge
  return {
    name,
    category,
    solves: solveCount,
    points,
    sortWeight,
    scoringKind: reportedKind(scoringKind),
    firstSolvers: world
      .solvesOfChallenge(id)
      .slice(0, FIRST_SOLVERS)
      .map(({ teamId }) => ({ id: teamId })),
  }
}
