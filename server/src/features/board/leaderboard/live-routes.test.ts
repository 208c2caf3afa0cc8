import { afterAll, beforeAll, expect, test } from 'vitest'
import { getLiveGraph, getLiveLeaderboard } from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { putChallenge, putSettings, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

const page = { limit: '10', offset: '0' }
const routes = [getLiveLeaderboard, getLiveGraph] as const

let contest: Contest
let reader: Member
let player: Member

beforeAll(async () => {
  contest = await startContest()
  reader = await contest.admin(permissions.leaderboardRead)
  player = await contest.team('ants')
  await putChallenge(contest.db, challengeRow('one'))
  await putSettings(contest.db, { freezeTime: noon - 1 })
  await putSolve(contest.db, solveRow(1, { challengeId: 'one', teamId: player.id, createdAt: noon }))
})
afterAll(() => contest[Symbol.asyncDispose]())

test('show organisers the solves after the freeze', async () => {
  const { token } = reader
  const board = await contest.call(getLiveLeaderboard, { token, query: { ...page, division: 'open' } })
  if (board.kind !== 'goodLeaderboard') throw new Error(board.kind)
  expect(board.data.leaderboard).toMatchObject([{ id: player.id, trend: { globalPlaceChange: null } }])
  for (const sample of [{}, { sample: 'fine' as const }]) {
    const graph = await contest.call(getLiveGraph, { token, query: { ...page, ...sample } })
    expect(graph.kind === 'goodLeaderboardGraph' && graph.data.graph).toMatchObject([{ id: player.id }])
  }
})

test.each(routes)('$path needs the permission to read the scoreboard', async (route) => {
  const { kind } = await contest.call(route, { token: 'nonsense', query: page })
  expect(kind).toBe('badToken')
  expect((await contest.call(route, { token: player.token, query: page })).kind).toBe('badPerms')
})

test.each(routes)('$path rejects an unknown division and an unlimited page', async (route) => {
  const { token } = reader
  const unknown = await contest.call(route, { token, query: { ...page, division: 'nowhere' } })
  expect(unknown.kind).toBe('badBody')
  expect((await contest.call(route, { token, query: { ...page, limit: '100000' } })).kind).toBe('badBody')
})

test.each(routes)('$path limits how many pages an address has rendered', async (route) => {
  const { token } = reader
  const kinds = new Set<string>()
  for (let offset = 1; offset < 200 && !kinds.has('badRateLimit'); offset += 1) {
    kinds.add((await contest.call(route, { token, query: { ...page, offset: String(offset) } })).kind)
  }
  expect(kinds.has('badRateLimit')).toBe(true)
})

test('searches are limited as on the public scoreboard', async () => {
  const kinds: string[] = []
  for (let time = 0; time < 4; time += 1) {
    const found = await contest.call(getLiveLeaderboard, {
      token: reader.token,
      query: { ...page, limit: '1', search: 'ant' },
    })
    kinds.push(found.kind)
  }
  expect(kinds.at(-1)).toBe('badRateLimit')
})
