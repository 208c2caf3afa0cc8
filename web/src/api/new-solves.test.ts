import { expect, test } from 'vitest'
import { isTeamStale, newFirstBloods, type LatestSolves } from './new-solves.ts'

function solves(...names: readonly string[]): LatestSolves {
  return names.map((name) => {
    const [userId = '', challengeId = ''] = name.split(' ')
    return {
      id: name,
      challengeId,
      challengeName: challengeId,
      category: 'web',
      userId,
      userName: userId,
      userAvatarUrl: null,
      createdAt: 1000,
      bloodIndex: null,
    }
  })
}

const team = { id: 'us', solves: [{ id: 'anchor' }] }

test("the viewer's team is stale after a solve by a team mate, not after one that is already known", () => {
  const before = solves('ants anchor')
  expect(isTeamStale(before, solves('us winch', 'ants anchor'), team)).toBe(true)
  expect(isTeamStale(before, solves('us anchor', 'ants anchor'), team)).toBe(false)
  expect(isTeamStale(before, solves('bees winch', 'ants anchor'), team)).toBe(false)
  expect(isTeamStale(before, before, team)).toBe(false)
  expect(isTeamStale(before, [], team)).toBe(false)
})

test("it is stale if every solve of the list is new, because one by the viewer's team may have left it", () => {
  const many = (count: number) => solves(...Array.from({ length: count }, (_, at) => `crew${at} winch`))
  const before = solves('ants anchor')
  expect(isTeamStale(before, many(20), team)).toBe(true)
  expect(isTeamStale(before, many(19), team)).toBe(false)
})

test('a first blood is new if another team got it within two minutes and it was not listed before', () => {
  const blood = (name: string) => solves(name).map((solve) => ({ ...solve, bloodIndex: 0 }))
  const before = solves('ants anchor')
  const [fresh] = blood('bees winch')
  const now = 1000
  expect(newFirstBloods(before, [...blood('bees winch'), ...before], { teamId: 'us', now })).toEqual([fresh])
  expect(newFirstBloods(before, [...solves('bees winch'), ...before], { teamId: 'us', now })).toEqual([])
  expect(newFirstBloods(before, blood('us winch'), { teamId: 'us', now })).toEqual([])
  expect(newFirstBloods(blood('bees winch'), blood('bees winch'), { teamId: 'us', now })).toEqual([])
  expect(newFirstBloods(before, blood('bees winch'), { teamId: 'us', now: now + 120_000 })).toEqual([])
})
