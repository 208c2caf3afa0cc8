import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { challengeRow, solveRow, teamRow, worldRows } from '../../../../test/world-rows.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import { etagOf } from '../../../http/response/prepared.ts'
import { createWorld, fold } from '../../../world/fold/world.ts'
import { maximalFeed } from './standings-feed.ts'

const noon = Date.UTC(2030, 0, 1, 12)
const score: ScoreFormula = {
  needs: { maxSolves: false, firstSolve: false },
  value: ({ max }) => max,
}
const rules = { score, startTime: noon - 1000, endTime: noon + 1_000_000 }
const TEAMS = 4000
const CHALLENGES = 40

test('other requests have their turns while a large contest is written, and its state is that of the call', async () => {
  const names = [
    '__proto__',
    'Quote " and \\',
    ...Array.from({ length: CHALLENGES - 2 }, (_, at) => `C${at}`),
  ]
  const challenges = names.map((name, at) =>
    challengeRow(`c${at}`, { name, sortWeight: at, scoringKind: 'static', pointsMax: 10 + at }),
  )
  const teams = Array.from({ length: TEAMS }, (_, at) => teamRow(`t${at}`, { name: `Team "${at}"` }))
  // Team 0 has solved nothing, and the last one is banned.
  const solves = teams
    .slice(1)
    .flatMap(({ id }, team) =>
      challenges
        .filter((_, challenge) => challenge <= team % CHALLENGES)
        .map((each, index) => solveRow(each.id, id, { createdAt: noon + team + index * 1000 })),
    )
  teams[TEAMS - 1] = teamRow(`t${TEAMS - 1}`, { banned: true })
  const world = createWorld(rules, worldRows({ teams, challenges, solves }), noon)
  const now = noon + 500_000

  let isOver = false
  const writing = maximalFeed({ world, now, isFrozen: false }).finally(() => (isOver = true))
  let turns = 0
  while (!isOver) {
    await setImmediate()
    if (turns++ === 0)
      fold(world, { kind: 'solves', rows: [solveRow('c39', 't1', { createdAt: now + 1 })], removed: [] })
  }
  const { body, etag } = await writing
  expect(turns).toBeGreaterThan(2)
  expect(etag).toBe(etagOf(body))
  const feed = JSON.parse(body.toString()) as {
    tasks: string[]
    standings: {
      pos: number
      team: string
      score: number
      taskStats: Record<string, { points: number; time: number }>
      lastAccept?: number
    }[]
  }
  expect(feed.tasks).toEqual(names)
  expect(feed.standings.map(({ pos }) => pos)).toEqual(feed.standings.map((_, at) => at + 1))
  for (const { score: total, taskStats, lastAccept } of feed.standings) {
    const stats = Object.values(taskStats)
    expect(stats.reduce((sum, { points }) => sum + points, 0)).toBe(total)
    expect(lastAccept).toBe(stats.length === 0 ? undefined : Math.max(...stats.map(({ time }) => time)))
  }
  const first = feed.standings.find(({ team }) => team === 'Team "1"')
  expect(first).toEqual({
    pos: expect.any(Number) as number,
    team: 'Team "1"',
    score: 10,
    taskStats: JSON.parse(`{"__proto__": {"points": 10, "time": ${noon / 1000}}}`) as object,
    lastAccept: noon / 1000,
  })
  expect(feed.standings.some(({ team }) => team === `Team "${TEAMS - 1}"`)).toBe(false)
  expect(Object.keys(feed.standings[0]?.taskStats ?? {})).toEqual(names)
})
