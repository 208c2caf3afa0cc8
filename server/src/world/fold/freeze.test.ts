import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyStep,
  createContest,
  eventWindow,
  RECORDED_RANK,
  rowsOf,
  type Contest,
  type Step,
} from '../../../test/world-model.ts'
import { rules as tariff } from '../../../test/contest-rows.ts'
import type { FeedRow, WorldRows, WorldRules, WorldView } from '../model.ts'
import type { Solve } from '../reads.ts'
import { createWorld, fold, foldFrozen, freezeWorld, type World } from './world.ts'
import { hintRows } from '../../features/contest/hints/rows.ts'
import { adjustmentRows, adjustmentsOf } from '../../features/contest/adjustments/rows.ts'

const sampleMs = 3000
const nat = fc.nat({ max: 9999 })
const step: fc.Arbitrary<Step> = fc.record({
  act: nat,
  team: nat,
  challenge: nat,
  time: fc.nat({ max: 319 }),
  value: nat,
  many: fc.array(nat, { maxLength: 30, size: 'max' }),
})
const opening: Step[] = Array.from({ length: 10 }, (_, number) => number).flatMap((number) => [
  { act: 3, team: number, challenge: 0, time: number, value: 0, many: [] },
  { act: 5, team: 0, challenge: number, time: 0, value: 0, many: [] },
])

/** The rows of a contest in which nothing happened after the time. */
function rowsUntil(contest: Contest, until: number): WorldRows {
  const rows = rowsOf(contest)
  const feedEvents = rows.feedEvents.filter(({ at }) => at <= until)
  const feed = new Map<string, FeedRow>()
  for (const { challengeId, teamId, delta, at } of feedEvents) {
    const key = `${challengeId} ${teamId}`
    const old = feed.get(key)
    const points = (old?.points ?? 0) + delta
    if (points === 0) feed.delete(key)
    else feed.set(key, { challengeId, teamId, points, scoredAt: old?.scoredAt ?? at, delta, tickAt: at })
  }
  const solves = rows.solves.filter(({ createdAt }) => createdAt <= until)
  const adjustments = contest.adjustments.filter(({ at }) => at <= until)
  const hints = { of: hintRows, rows: [...contest.hints.values()] }
  const kinds = [{ of: adjustmentRows, rows: adjustments }, hints]
  return { ...rows, solves, rows: kinds, feed: [...feed.values()], feedEvents }
}

/** What readers see, except ranks that are not recorded: they depend on the order of the steps. */
function seen(world: WorldView) {
  const teamIds = Array.from(world.teams(), ({ id }) => id).sort()
  const ranked = world.ranked({ offset: 0, limit: 100 })
  return {
    ranked,
    teams: teamIds.map((id) => [
      world.team(id),
      world.standing(id),
      adjustmentsOf(world, id),
      world.solvesOfTeam(id),
    ]),
    challenges: world.challenges(),
    solves: world.challenges().map(({ id }) => world.solvesOfChallenge(id).slice(0, 100).map(recordedOf)),
    scores: world.challenges().map(({ id }) => world.scoresOfChallenge(id).slice(0, 100)),
    graph: world.graph(ranked, sampleMs),
    settings: [world.settings, world.startTime, world.endTime, world.now],
  }
}

function recordedOf(solve: Solve): Solve {
  if ((solve.globalRank ?? 0) >= RECORDED_RANK) return solve
  return { ...solve, globalRank: null, divisionRank: null }
}

const relative: WorldRules['score'] = {
  needs: { maxSolves: true, firstSolve: true },
  value: ({ max, solves, maxSolves, firstSolveAt }) =>
    max - 9 * solves + maxSolves + ((firstSolveAt ?? 0) % 7),
}

test.each([
  ['values by own solves', tariff.score],
  ['values by the solves of all challenges', relative],
] as const)('a frozen world is that of a contest in which nothing happened later, with %s', (_, score) => {
  const rules: WorldRules = { score, ...eventWindow }
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.nat(80_000),
      (steps, until) => {
        const contest = createContest()
        const world = createWorld(rules, rowsOf(contest), contest.now)
        for (const early of opening) fold(world, applyStep(contest, early))
        let frozen: World = freezeWorld(world, until)
        for (const [index, next] of steps.entries()) {
          const change = applyStep(contest, next)
          fold(world, change)
          frozen = foldFrozen(frozen, change) ?? freezeWorld(world, until)
          if (index % 6 > 0 && index < steps.length - 1) continue
          const expected = structuredClone(seen(createWorld(rules, rowsUntil(contest, until), contest.now)))
          expect(seen(frozen)).toEqual(expected)
          expect(seen(freezeWorld(world, until))).toEqual(expected)
          expect(frozen.frozenAt).toBe(until)
        }
      },
    ),
    { numRuns: 60, interruptAfterTimeLimit: 6_000 },
  )
})

test('a copy shares nothing with the world that it was made from', () => {
  const contest = createContest()
  const rules: WorldRules = { score: tariff.score, ...eventWindow }
  const world = createWorld(rules, rowsOf(contest), contest.now)
  for (const early of opening) fold(world, applyStep(contest, early))
  fold(world, applyStep(contest, { act: 0, team: 0, challenge: 0, time: 50, value: 0, many: [1, 18, 35] }))
  const frozen = freezeWorld(world, 1_000_000)
  const before = structuredClone(seen(frozen))
  expect(seen(world)).toEqual(before)
  fold(world, applyStep(contest, { act: 7, team: 0, challenge: 0, time: 0, value: 0, many: [] }))
  fold(world, applyStep(contest, { act: 9, team: 1, challenge: 0, time: 0, value: 0, many: [] }))
  expect(seen(frozen)).toEqual(before)
})
