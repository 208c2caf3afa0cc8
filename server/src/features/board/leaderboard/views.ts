import {
  LATEST_BLOODS,
  LATEST_SOLVES,
  type BoardChallenge,
  type BoardRowV1,
  type BoardRowV2,
  type LatestSolve,
} from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { DynamicScore } from '../../../world/reads.ts'
import { reportedKind } from '../../contest/challenges/rules.ts'
import { latestSolve, type FoundSolve } from './latest-solve.ts'

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
      .bloods()
      .map(({ teamId }) => ({ id: teamId })),
  }
}

/**
 * The latest solves, newest first, ties by solve id. Reads at most 20 solves of each of the 20 challenges that
 * were solved last, because no other challenge can have one of the latest.
 */
export function latestSolves(world: WorldView): z.input<typeof LatestSolve>[] {
  const lists = world
    .publicChallenges()
    .map((challenge) => {
      const solves = world.solvesOfChallenge(challenge.id)
      const newest = solves.length === 0 ? undefined : solves.slice(solves.length - 1, 1)[0]
      return { challenge, solves, newestAt: newest?.createdAt ?? null }
    })
    .filter(({ newestAt }) => newestAt !== null)
    .toSorted((left, right) => (right.newestAt ?? 0) - (left.newestAt ?? 0))
    .slice(0, LATEST_SOLVES)
  return lists
    .flatMap(({ challenge, solves }) => {
      const from = Math.max(0, solves.length - LATEST_SOLVES)
      return solves.slice(from, LATEST_SOLVES).map((solve) => ({ challenge, solve }))
    })
    .toSorted(newestFirst)
    .slice(0, LATEST_SOLVES)
    .map((found) => latestSolve(world, found))
}

/** The latest first bloods of public challenges, in the same order. */
export function latestFirstBloods(world: WorldView): z.input<typeof LatestSolve>[] {
  return world
    .publicChallenges()
    .flatMap((challenge) =>
      world
        .solvesOfChallenge(challenge.id)
        .bloods()
        .slice(0, 1)
        .map((solve) => ({ challenge, solve })),
    )
    .toSorted(newestFirst)
    .slice(0, LATEST_BLOODS)
    .map((found) => latestSolve(world, found))
}

function newestFirst({ solve: left }: FoundSolve, { solve: right }: FoundSolve): number {
  return right.createdAt - left.createdAt || (left.id < right.id ? -1 : 1)
}
