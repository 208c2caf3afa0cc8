import { limits } from '@pennant/contract/limits.ts'
import { getExtrankLeaderboard, getStandingsFeed } from '@pennant/contract/extrank-export.ts'
import { HOUR_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

const key = 'key-of-the-standings-feed'
const STEP = 20 * SECOND_MS

let contest: Contest
let ants: Member
beforeEach(async () => {
  contest = await startContest({ config: { standingsFeed: { key } } })
  ants = await contest.team('Ants')
  await contest.team('Bees')
  for (const [id, rest] of [
    ['pwn', { name: 'Same' }],
    ['web', { name: 'Same', sortWeight: 2 }],
    ['hidden', { name: 'Hidden', hidden: true }],
    ['locked', { name: 'Locked' }],
  ] as const)
    await putChallenge(contest.db, challengeRow(id, { sortWeight: 1, ...rest }))
  await contest.db.change(async (tx) => {
    await tx.query(sql`update challenges set prerequisites = '["pwn"]' where id = 'locked'`)
    tx.changed('challenges', ['locked'])
  })
  await solve(1, 'pwn', noon - 5000)
})
afterEach(() => contest[Symbol.asyncDispose]())

const solve = (number: number, challengeId: string, createdAt: number) =>
  putSolve(contest.db, solveRow(number, { challengeId, teamId: ants.id, createdAt }))

const feed = (form?: 'minimal' | 'maximal') => contest.call(getStandingsFeed, { query: { key, form } })

test('the minimal form has the standings, and is final after the end', async () => {
  const score = expect.any(Number) as number
  const standings = [{ pos: 1, team: 'Ants', score }]
  expect((await feed()).data).toEqual({ standings, final: false })
  contest.clock.advance(48 * HOUR_MS)
  expect((await feed('minimal')).data).toEqual({ standings, final: true })
  const { token } = await contest.admin()
  // The bytes that clients rely on.
  expect((await contest.call(getExtrankLeaderboard, { token })).data).toEqual({ standings })
})

test('the maximal form has tasks with unique names, points and times in seconds', async () => {
  const { data } = await feed('maximal')
  const time = noon / 1000 - 5
  expect(data).toMatchObject({
    standings: [
      { team: 'Ants', lastAccept: time, taskStats: { Same: { points: expect.any(Number), time } } },
    ],
    final: false,
  })
  expect((data as { tasks: string[] }).tasks).toEqual(['Same', 'Same (web)'])
  await solve(2, 'web', noon - 1000)
  contest.clock.advance(STEP)
  expect((await feed('maximal')).data).toMatchObject({
    standings: [{ lastAccept: noon / 1000 - 1, taskStats: { 'Same (web)': { time: noon / 1000 - 1 } } }],
  })
})

test('before the start, the maximal form names no challenge', async () => {
  const config = { standingsFeed: { key }, startTime: noon + HOUR_MS }
  await using early = await startContest({ config })
  await putChallenge(early.db, challengeRow('pwn', { name: 'Secret' }))
  const { data } = await early.call(getStandingsFeed, { query: { key, form: 'maximal' } })
  expect(data).toEqual({ tasks: [], standings: [], final: false })
})

test('frozen standings are not final until the results are published', async () => {
  await using frozen = await startContest({ config: { standingsFeed: { key } } })
  const { token } = await frozen.admin()
  const settings = (data: object) => frozen.call(updateSettings, { token, body: { data } as never })
  expect((await settings({ freezeTime: noon + HOUR_MS })).status).toBe(200)
  frozen.clock.advance(48 * HOUR_MS)
  const final = async () =>
    ((await frozen.call(getStandingsFeed, { query: { key } })).data as { final: boolean }).final
  expect(await final()).toBe(false)
  expect((await settings({ resultsPublished: true })).status).toBe(200)
  expect(await final()).toBe(true)
})

test('needs the key, is off without one, and is limited', async () => {
  for (const wrong of ['', 'x', `${key}x`])
    expect((await contest.call(getStandingsFeed, { query: { key: wrong } })).kind).toBe('badToken')
  expect((await contest.call(getStandingsFeed, { query: { key, form: 'other' as never } })).kind).toBe(
    'badBody',
  )
  // A token does not replace the key.
  const { token } = await contest.admin()
  expect((await contest.call(getStandingsFeed, { query: { key: 'x' }, token })).kind).toBe('badToken')
  for (let count = 0; count < limits.signIns.burst - 5; count++) await feed()
  expect((await feed()).kind).toBe('badRateLimit')
  await using off = await startContest()
  expect((await off.call(getStandingsFeed, { query: { key } })).kind).toBe('badEndpoint')
})
