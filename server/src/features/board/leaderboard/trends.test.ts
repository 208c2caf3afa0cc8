import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { TREND_SCORES } from '@pennant/contract/leaderboard.ts'
import {
  challengeRow,
  end,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../../test/contest-rows.ts'
import { createWorld, fold } from '../../../world/fold/world.ts'
import { createTrends, trendTimes } from './trends.ts'

const SAMPLE_MS = 5 * MINUTE_MS
const at = (minutes: number) => start + minutes * MINUTE_MS
const challenges = ['one', 'two', 'three'].map((id) => challengeRow(id))

describe('the times of a trend', () => {
  test('begin at the start, are equally far apart and at most 23', () => {
    for (let minutes = 1; minutes < 40 * 24 * 60; minutes = Math.ceil(minutes * 1.07)) {
      const times = trendTimes(start, at(minutes))
      expect(times[0]).toBe(start)
      expect(times.length).toBeLessThan(TREND_SCORES)
      const steps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))
      expect(steps.size).toBeLessThan(2)
      const last = times.at(-1) ?? 0
      expect(last).toBeLessThan(at(minutes))
      expect(last + (times[1] ?? at(minutes)) - start).toBeGreaterThanOrEqual(at(minutes))
      if (minutes > 60) expect(times.length).toBeGreaterThan(8)
    }
  })

  test('are none before the start', () => {
    expect(trendTimes(start, start)).toEqual([])
    expect(trendTimes(start, start - HOUR_MS)).toEqual([])
    expect(trendTimes(Infinity, start)).toEqual([])
  })
})

describe('a trend', () => {
  const teams = ['a', 'b', 'c'].map((id, index) =>
    teamRow(id, { division: index === 0 ? 'school' : 'open', createdAt: start + index }),
  )
  const solves = [
    solveRow(1, { teamId: 'a', challengeId: 'one', createdAt: at(10) }),
    solveRow(2, { teamId: 'b', challengeId: 'two', createdAt: at(20) }),
    solveRow(3, { teamId: 'c', challengeId: 'three', createdAt: at(30) }),
    solveRow(4, { teamId: 'c', challengeId: 'two', createdAt: at(100) }),
  ]
  const world = createWorld(rules, worldRows({ teams, challenges, solves }), end)

  test('has the ranks gained and lost in the last hour, also by teams that solved nothing', () => {
    const trends = createTrends(() => at(120), SAMPLE_MS).of(world, ['c', 'a', 'b'])
    expect(trends.map((each) => [each.globalPlaceChange, each.divisionPlaceChange])).toEqual([
      [2, 1],
      [-1, 0],
      [-1, -1],
    ])
  })

  test('has no change for a team that was not ranked an hour ago', () => {
    const trends = createTrends(() => at(85), SAMPLE_MS).of(world, ['c', 'a', 'b'])
    expect(trends.map((each) => each.globalPlaceChange)).toEqual([null, -1, -1])
  })

  test('ends with the current score', () => {
    const [trend] = createTrends(() => at(120), SAMPLE_MS).of(world, ['c'])
    expect(trend?.scores.slice(0, 2)).toEqual([0, 0])
    expect(trend?.scores.at(-1)).toBe(world.standing('c').score)
    const early = createTrends(() => start - HOUR_MS, SAMPLE_MS)
    expect(early.of(world, ['c'])).toMatchObject([{ scores: [world.standing('c').score] }])
  })

  test('stays the same after the end, with the ranks gained in the last hour of the event', () => {
    const last = solveRow(5, { teamId: 'b', challengeId: 'one', createdAt: end - MINUTE_MS })
    const over = createWorld(rules, worldRows({ teams, challenges, solves: [...solves, last] }), end)
    const seen = [end, end + MINUTE_MS, end + 30 * HOUR_MS].map((now) => {
      const trends = createTrends(() => now, SAMPLE_MS)
      return [trends.keyOf(over).split('.')[1], trends.of(over, ['b', 'c', 'a'])]
    })
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
    expect(seen[0]?.[1]).toMatchObject([
      { globalPlaceChange: 1 },
      { globalPlaceChange: 0 },
      { globalPlaceChange: -1 },
    ])
  })

  test('sorts all teams once a minute, however often the standings change', () => {
    let now = at(120)
    const trends = createTrends(() => now, SAMPLE_MS)
    let sorted = 0
    let current = world
    const counted = () =>
      Object.assign(Object.create(current) as typeof world, {
        ranksAt: (...asked: Parameters<typeof world.ranksAt>) => {
          sorted += 1
          return current.ranksAt(...asked)
        },
      })
    const view = counted()
    for (let turn = 0; turn < 5; turn += 1) {
      const solve = solveRow(10 + turn, { teamId: 'a', challengeId: 'two', createdAt: at(110 + turn) })
      current = fold(current, { kind: 'solves', rows: [solve], removed: [] })
      trends.of(view, ['a'])
    }
    expect(sorted).toBe(1)
    now += MINUTE_MS
    trends.of(view, ['a'])
    expect(sorted).toBe(2)
  })
})
