import { listScores, type goodChallengeScores } from '@pennant/contract/scores.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { getLeaderboardV2, getLeaderboardWithGraph } from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { putChallenge, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { push, putDynamic } from '../../../../test/pushes.ts'

let contest: Contest
let ants: Member
let bees: Member
let wasps: Member

beforeAll(async () => {
  contest = await startContest({ config: { leaderboard: { graphWithListLimit: 3 } } })
  ants = await contest.team('Ants')
  bees = await contest.team('Bees')
  wasps = await contest.team('Wasps')
})
afterAll(() => contest[Symbol.asyncDispose]())

const page = { limit: '3', offset: '0' }
const score = ({ id: userId }: Member, points: number) => ({ userId, points })

async function scoresOf(id: string, query = page, token?: string) {
  const response = await contest.call(listScores, { params: { id }, query, token })
  expect(response.kind).toBe('goodChallengeScores')
  return response.data as z.output<typeof goodChallengeScores.data>
}

describe('a king of the hill', () => {
  const own = async ({ token }: Member) => {
    const { data } = await contest.call(listChallengesV2, { token })
    const found = (data as { id: string; yourScore?: number; yourPointDelta?: number }[]).find(
      ({ id }) => id === 'hill',
    )
    return [found?.yourScore, found?.yourPointDelta]
  }
  const board = async () => {
    const { data } = await contest.call(getLeaderboardV2, { query: page })
    return (data as { leaderboard: { name: string; score: number }[] }).leaderboard.map((row) => [
      row.name,
      row.score,
    ])
  }

  test("changes the board, the team's score and its change, and the graph with each push", async () => {
    await putDynamic(contest, 'hill')
    expect(await board()).toEqual([])
    expect(await own(ants)).toEqual([undefined, undefined])

    expect(await push(contest, 'hill', [score(ants, 10), score(bees, 5)])).toBe('2 0 0')
    expect(await board()).toEqual([
      ['Ants', 10],
      ['Bees', 5],
    ])
    expect([await own(ants), await own(bees), await own(wasps)]).toEqual([
      [10, 10],
      [5, 5],
      [undefined, undefined],
    ])

    expect(await push(contest, 'hill', [score(ants, 10), score(bees, 25), score(wasps, -3)])).toBe('1 1 0')
    expect(await board()).toEqual([
      ['Bees', 25],
      ['Ants', 10],
      ['Wasps', -3],
    ])
    // The latest push did not change Ants.
    expect([await own(ants), await own(bees), await own(wasps)]).toEqual([
      [10, undefined],
      [25, 20],
      [-3, -3],
    ])

    const { data } = await contest.call(getLeaderboardWithGraph, { query: page })
    const { graph, leaderboard } = data as {
      graph: { name: string; points: { score: number }[]; dynamicPoints: { score: number }[] }[]
      leaderboard: { name: string; dynamicScores: { points: number; pointDelta: number }[] }[]
    }
    expect(graph.map(({ name, dynamicPoints }) => [name, dynamicPoints[0]?.score])).toEqual([
      ['Bees', 25],
      ['Ants', 10],
      ['Wasps', -3],
    ])
    expect(graph.map(({ points }) => points[0]?.score)).toEqual([25, 10, -3])
    expect(leaderboard[1]?.dynamicScores).toMatchObject([{ points: 10, pointDelta: 0 }])
    expect(contest.world().challenge('hill')?.solveCount).toBe(3)

    expect(await push(contest, 'hill', [score(bees, 0)])).toBe('0 0 1')
    expect(await board()).toEqual([
      ['Ants', 10],
      ['Wasps', -3],
    ])
    expect(await own(bees)).toEqual([undefined, undefined])
  })

  test('counts on the board from its release on, and accepts pushes before the release and after the end', async () => {
    await putDynamic(contest, 'later', { releaseAt: contest.clock.now() + HOUR_MS })
    await putDynamic(contest, 'hidden', { hidden: true })
    for (const id of ['later', 'hidden']) expect(await push(contest, id, [score(wasps, 50)])).toBe('1 0 0')
    expect((await board())[0]).toEqual(['Ants', 10])
    contest.clock.advance(HOUR_MS)
    expect((await board())[0]).toEqual(['Wasps', 47])
    contest.clock.advance(100 * HOUR_MS)
    expect(await push(contest, 'later', [score(wasps, 1)])).toBe('0 1 0')
    expect((await board())[0]).toEqual(['Ants', 10])
  })
})

describe('the ranking of one challenge', () => {
  test('has each team once, by points and then by time, with a graph of the page', async () => {
    await putDynamic(contest, 'koth')
    await push(contest, 'koth', [score(wasps, 7)])
    await push(contest, 'koth', [score(bees, 7), score(ants, 9)])
    const { total, scores, graph, myPlace, myPosition } = await scoresOf('koth')
    expect([total, myPlace, myPosition]).toEqual([3, undefined, undefined])
    expect(scores).toMatchObject([
      { userId: ants.id, userName: 'Ants', points: 9, pointDelta: 9, place: 1, division: 'open' },
      { userId: wasps.id, points: 7, pointDelta: 0, place: 2, userAvatarUrl: null },
      { userId: bees.id, points: 7, pointDelta: 7, place: 3 },
    ])
    for (const { userId, globalPlace, divisionPlace } of scores) {
      expect(contest.world().standing(userId)).toMatchObject({
        globalRank: globalPlace,
        divisionRank: divisionPlace,
      })
    }
    expect(graph.map(({ id, points }) => [id, points[0]?.score])).toEqual([
      [ants.id, 9],
      [wasps.id, 7],
      [bees.id, 7],
    ])
    const second = await scoresOf('koth', { limit: '1', offset: '1' })
    expect(second.scores.map(({ userName, place }) => [userName, place])).toEqual([['Wasps', 2]])
    expect(second.graph.map(({ name }) => name)).toEqual(['Wasps'])
    expect((await scoresOf('koth', { limit: '1', offset: '500' })).scores).toEqual([])
  })

  test('has no points of other challenges, neither in the scores nor in the graph', async () => {
    await putDynamic(contest, 'second')
    await push(contest, 'second', [score(ants, 1)])
    const { scores, graph } = await scoresOf('second')
    expect(scores.map(({ userName, points }) => [userName, points])).toEqual([['Ants', 1]])
    expect(graph[0]?.points.map((point) => point.score)).toContain(1)
    expect(graph[0]?.points.every((point) => point.score === 1)).toBe(true)
  })

  test("includes the caller's rank only with a token, and leaves banned teams out", async () => {
    const idle = await contest.team()
    const own = await scoresOf('koth', { limit: '1', offset: '0' }, bees.token)
    expect([own.myPlace, own.myPosition]).toEqual([3, 3])
    expect((await scoresOf('koth', page, idle.token)).myPlace).toBeNull()
    expect((await scoresOf('koth', page, 'nonsense')).myPlace).toBeUndefined()
    await setBanned(contest.db, wasps.id, true)
    expect((await scoresOf('koth', page, bees.token)).myPlace).toBe(2)
    const { total, myPlace, scores } = await scoresOf('koth', page, wasps.token)
    expect([total, myPlace, scores.length]).toEqual([2, null, 2])
    await setBanned(contest.db, wasps.id, false)
    expect((await scoresOf('koth')).total).toBe(3)
  })

  test('does not exist for challenges with other scoring or that participants cannot see', async () => {
    await putChallenge(contest.db, challengeRow('classic'))
    for (const id of ['classic', 'hidden', 'unknown']) {
      const response = await contest.call(listScores, { params: { id }, query: page })
      expect([id, response.kind]).toEqual([id, 'badChallenge'])
    }
    const wrong = { params: { id: 'unknown' }, query: { limit: '4', offset: '0' } }
    expect(await contest.call(listScores, wrong)).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringMatching(/^query:limit: /) },
    })
  })

  test('is visible from the start on, and earlier with challsRead', async () => {
    const startTime = noon + 24 * HOUR_MS
    await using early = await startContest({ config: { startTime, endTime: startTime + HOUR_MS } })
    await putDynamic(early, 'hill')
    const { token } = await early.admin(permissions.challsRead)
    const request = { params: { id: 'hill' }, query: page }
    expect((await early.call(listScores, request)).kind).toBe('badNotStarted')
    expect((await early.call(listScores, { ...request, token })).kind).toBe('goodChallengeScores')
    expect(await push(early, 'hill', [])).toBe('0 0 0')
  })
})
