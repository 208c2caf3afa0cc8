import { expect, test } from 'vitest'
import { challengeRow, end, solveRow, start, teamRow, worldRows } from '../../test/contest-rows.ts'
import { createWorld, fold } from './fold/world.ts'
import type { SolveRow, WorldRules } from './model.ts'

// Enough teams for every way to keep the order: searching, marking, merging and sorting.

const TEAMS = 600
const CHALLENGES = 12

const rulesOf = (value: WorldRules['score']['value']): WorldRules => ({
  score: { needs: { maxSolves: true, firstSolve: false }, value },
  startTime: start,
  endTime: end,
})
const formulas = {
  'falls with each solve': rulesOf(({ max, solves }) => max - solves),
  'depends on the most solved challenge': rulesOf(({ max, solves, maxSolves }) =>
    Math.round(max - (300 * solves) / Math.max(1, maxSolves)),
  ),
  'is not whole': rulesOf(({ max, solves }) => max - solves / 4),
  'is constant, so most teams are tied': rulesOf(({ max }) => max),
}

const rows = worldRows({
  teams: Array.from({ length: TEAMS }, (_, n) =>
    teamRow(`t${n}`, { createdAt: start - (n % 7), division: n % 3 === 0 ? 'school' : 'open' }),
  ),
  challenges: Array.from({ length: CHALLENGES }, (_, n) => challengeRow(`c${n}`, { pointsMax: 1000 })),
})

/** Each team solves about half of the challenges; the first challenges are the most popular. */
const solves: SolveRow[] = Array.from({ length: TEAMS * CHALLENGES }, (_, n) => ({
  team: (n * 7919) % TEAMS,
  challenge: Math.floor(n / TEAMS),
  luck: (n * 104_729) % 1009,
}))
  .filter(({ challenge, luck }) => luck > 80 * challenge)
  .map(({ team, challenge, luck }) => ({ key: (luck * 31 + team) % 997, team, challenge }))
  .toSorted((a, b) => a.key - b.key)
  .map(({ team, challenge }, n) =>
    solveRow(n, {
      challengeId: `c${challenge}`,
      teamId: `t${team}`,
      createdAt: start + Math.floor(n / 3) * 1000,
    }),
  )

test.each(Object.entries(formulas))('batches keep order and ranks exact if the value %s', (_, rules) => {
  const batched = createWorld(rules, rows, start)
  const single = createWorld(rules, rows, start)
  const sizes = [1, 3, 40, 400, 7, 900, 128, 2, 2000]
  for (let at = 0, turn = 0; at < solves.length; turn += 1) {
    const batch = solves.slice(at, (at += sizes[turn % sizes.length] ?? 1))
    fold(batched, { kind: 'solves', rows: batch, removed: [] })
    for (const row of batch) fold(single, { kind: 'solves', rows: [row], removed: [] })
    const rebuilt = createWorld(rules, { ...rows, solves: solves.slice(0, at) }, start)
    const all = { offset: 0, limit: TEAMS }
    expect(batched.ranked(all)).toEqual(rebuilt.ranked(all))
    expect(single.ranked(all)).toEqual(rebuilt.ranked(all))
  }
  const ranks = (world: typeof single) =>
    solves.map(({ challengeId, teamId }) => {
      const solve = world.solve(challengeId, teamId)
      return [solve?.globalRank, solve?.divisionRank]
    })
  expect(ranks(batched)).toEqual(ranks(single))
  const removed = solves.slice(0, 500)
  fold(batched, { kind: 'solves', rows: [], removed })
  const rest = createWorld(rules, { ...rows, solves: solves.slice(500) }, start)
  const all = { offset: 0, limit: TEAMS }
  expect(batched.ranked(all)).toEqual(rest.ranked(all))
})
