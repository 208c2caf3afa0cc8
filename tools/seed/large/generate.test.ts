import { expect, test } from 'vitest'
import { generate } from './generate.ts'
import { DATA_SETS, openingSet, rankedSet } from './sets.ts'

const solvesOf = (contest: ReturnType<typeof generate>) =>
  Array.from({ length: contest.set.solves }, (_, n) => contest.solve(n))

test('a set has as many solves as it says, each pair once, in order of time', () => {
  for (const set of [DATA_SETS.small, rankedSet(1000, 24)]) {
    const contest = generate(set)
    const solves = solvesOf(contest)
    expect(contest.solverCounts.reduce((sum, count) => sum + count, 0)).toBe(set.solves)
    expect(new Set(solves.map(({ team, challenge }) => `${team} ${challenge}`)).size).toBe(set.solves)
    expect(solves.map(({ afterMs }) => afterMs)).toEqual(
      solves.map(({ afterMs }) => afterMs).toSorted((one, other) => one - other),
    )
    expect(solves.every(({ team, challenge }) => contest.hasSolved(team, challenge))).toBe(true)
    expect(contest.solverCounts.at(-1)).toBe(0)
    expect(contest.hasSolved(0, set.challenges - 1)).toBe(false)
    expect(contest.solverCounts[0]).toBeGreaterThan(set.teams * 0.8)
  }
})

test('the same seed gives the same contest, another one another', () => {
  const one = solvesOf(generate(DATA_SETS.small, 'one'))
  expect(solvesOf(generate(DATA_SETS.small, 'one'))).toEqual(one)
  expect(solvesOf(generate(DATA_SETS.small, 'other'))).not.toEqual(one)
})

test('a contest that has just begun has no solves', () => {
  const contest = generate(openingSet(20))
  expect(contest.solverCounts.every((count) => count === 0)).toBe(true)
  expect(contest.teamIds).toHaveLength(20)
})

test('in a ranked set, each team has at most as many solves as the one before, and then a later last one', () => {
  const { set, ...contest } = generate(rankedSet(1000, 24))
  const teams = Array.from({ length: set.teams }, () => ({ count: 0, lastMs: 0 }))
  for (const { team, afterMs } of solvesOf({ set, ...contest })) {
    const { count } = teams[team] ?? expect.fail()
    teams[team] = { count: count + 1, lastMs: afterMs }
  }
  expect(teams[0]?.count).toBe(23)
  expect(teams.at(-1)?.count).toBe(1)
  for (const [at, team] of teams.entries()) {
    const before = teams[at - 1]
    if (before) expect(before.count > team.count || before.lastMs < team.lastMs).toBe(true)
  }
})
