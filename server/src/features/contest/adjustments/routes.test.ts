import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import * as contract from '@pennant/contract/score-adjustments.ts'
import { readProfileV2 } from '@pennant/contract/teams.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge, putSolve, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let judge: Member
let [first, second, idle]: Member[] = []
beforeEach(async () => {
  contest = await startContest()
  judge = await contest.admin(permissions.challsSolveWrite)
  ;[first, second, idle] = [await contest.team(), await contest.team(), await contest.team()]
  const fixed = { scoringKind: 'static', pointsMax: 100 } as const
  for (const id of ['one', 'two']) await putChallenge(contest.db, challengeRow(id, fixed))
  await solved('one', first, -3)
  await solved('two', first, -2)
  await solved('one', second, -1)
})
afterEach(() => contest[Symbol.asyncDispose]())

let solves = 0
function solved(challengeId: string, member: Member | undefined, minute: number) {
  const createdAt = noon + minute * MINUTE_MS
  return putSolve(contest.db, solveRow((solves += 1), { challengeId, teamId: idOf(member), createdAt }))
}

const idOf = (member: Member | undefined) => member?.id ?? ''

function send(data: object, token = judge.token) {
  return contest.call(contract.createScoreAdjustment, { token, body: { data } as never })
}

async function adjust(member: Member | undefined, points: number, reason = 'Write-up prize') {
  const response = await send({ userId: idOf(member), points, reason })
  if (response.kind !== 'goodScoreAdjustment') throw new Error(JSON.stringify(response))
  return response.data.adjustment
}

function undo(id: string, token = judge.token) {
  return contest.call(contract.undoScoreAdjustment, { token, params: { id } })
}

async function board(at: Contest = contest) {
  const query = { limit: '100', offset: '0' }
  const response = await at.call(getLeaderboardV2, { query })
  if (response.kind !== 'goodLeaderboard') throw new Error(response.kind)
  return response.data.leaderboard.map(({ id, score }) => [id, score])
}

async function shown(member: Member | undefined) {
  const response = await contest.call(contract.listScoreAdjustments, { params: { id: idOf(member) } })
  if (response.kind !== 'goodScoreAdjustments') throw new Error(response.kind)
  return response.data.adjustments
}

test('an award and a deduction change score, order, profile and list at once, on every replica', async () => {
  await using replica = await startContest({ beside: contest })
  expect(await board()).toEqual([
    [first?.id, 200],
    [second?.id, 100],
  ])
  const award = await adjust(second, 150)
  expect(award).toMatchObject({ teamId: second?.id, points: 150, createdBy: judge.id, undoneAt: null })
  contest.clock.advance(MINUTE_MS)
  await adjust(second, -40, 'Shared a flag')
  const expected = [
    [second?.id, 210],
    [first?.id, 200],
  ]
  expect(await board()).toEqual(expected)
  await replica.app.stores.follower.catchUp()
  expect(await board(replica)).toEqual(expected)
  expect(await shown(second)).toMatchObject([
    { points: -40, reason: 'Shared a flag', kind: 'manual' },
    { points: 150, reason: 'Write-up prize' },
  ])
  const profile = await contest.call(readProfileV2, { params: { id: idOf(second) } })
  expect(profile).toMatchObject({ data: { score: 210, globalPlace: 1 } })
})

test('an award ranks a team without a solve, and loses ties; a deduction alone does not rank', async () => {
  await adjust(idle, 200)
  expect(await board()).toEqual([
    [first?.id, 200],
    [idle?.id, 200],
    [second?.id, 100],
  ])
  const fourth = await contest.team()
  await adjust(fourth, -10)
  expect((await board()).map(([id]) => id)).not.toContain(fourth.id)
  await adjust(second, -300)
  expect((await board()).at(-1)).toEqual([second?.id, -200])
})

test('what is undone counts nowhere and stays in the list of the organisers', async () => {
  const { id } = await adjust(second, 150)
  contest.clock.advance(MINUTE_MS)
  expect(await undo(id)).toMatchObject({
    kind: 'goodScoreAdjustmentUndo',
    data: { adjustment: { undoneAt: contest.clock.now(), undoneBy: judge.id } },
  })
  expect((await board())[0]).toEqual([first?.id, 200])
  expect(await shown(second)).toEqual([])
  const listed = await contest.call(contract.listAdminScoreAdjustments, {
    token: judge.token,
    query: { userId: idOf(second), limit: '10', offset: '0' },
  })
  const [{ name } = { name: '' }] = await contest.db.query<{ name: string }>(
    sql`select name from teams where id = ${judge.id}`,
  )
  expect(listed).toMatchObject({
    data: {
      total: 1,
      adjustments: [{ id, undoneBy: judge.id, createdByName: name, undoneByName: name }],
    },
  })
  expect(await undo(id)).toMatchObject({ kind: 'badScoreAdjustmentUndone' })
  expect(await undo('other')).toMatchObject({ kind: 'badScoreAdjustment' })
})

test('the adjustments of a banned team count again after the ban, and those of a deleted team are gone', async () => {
  await adjust(second, 150)
  await setBanned(contest.db, idOf(second), true)
  expect(await board()).toEqual([[first?.id, 200]])
  expect(await shown(second)).toEqual([])
  await setBanned(contest.db, idOf(second), false)
  expect((await board())[0]).toEqual([second?.id, 250])
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from teams where id = ${idOf(second)}`)
    tx.changed('teams', [idOf(second)])
  })
  expect(await board()).toEqual([[first?.id, 200]])
  expect(await contest.db.query(sql`select * from score_adjustments`)).toEqual([])
})

test('pages, newest first', async () => {
  for (const points of [1, 2, 3]) {
    contest.clock.advance(MINUTE_MS)
    await adjust(points === 2 ? first : second, points)
  }
  const list = async (query: object) => {
    const page = { limit: '10', offset: '0', ...query }
    const options = { token: judge.token, query: page }
    const response = await contest.call(contract.listAdminScoreAdjustments, options)
    if (response.kind !== 'goodAdminScoreAdjustments') return response.kind
    return [response.data.total, response.data.adjustments.map(({ points }) => points)]
  }
  expect(await list({})).toEqual([3, [3, 2, 1]])
  expect(await list({ limit: '1', offset: '1' })).toEqual([3, [2]])
  expect(await list({ userId: idOf(second) })).toEqual([2, [3, 1]])
  expect(await list({ limit: '101' })).toBe('badBody')
})

test('refuses what makes no sense', async () => {
  const userId = idOf(first)
  for (const data of [
    { userId, points: 0, reason: 'x' },
    { userId, points: 1.5, reason: 'x' },
    { userId, points: contract.adjustmentLimits.points + 1, reason: 'x' },
    { userId, points: 5, reason: '  ' },
    { userId, points: 5, reason: 'x'.repeat(contract.adjustmentLimits.reason + 1) },
  ]) {
    expect(await send(data)).toMatchObject({ kind: 'badBody' })
  }
  expect(await send({ userId: 'nobody', points: 5, reason: 'x' })).toMatchObject({ kind: 'badUnknownUser' })
  const unknown = await contest.call(contract.listScoreAdjustments, { params: { id: 'nobody' } })
  expect(unknown).toMatchObject({ kind: 'badUnknownUser' })
  await contest.db.query(sql`
    insert into score_adjustments (id, team_id, points, reason)
    select 'many-' || n, ${userId}, 1, 'x' from generate_series(1, ${contract.adjustmentLimits.perTeam}) n`)
  expect(await send({ userId, points: 5, reason: 'x' })).toMatchObject({ kind: 'badScoreAdjustmentCount' })
})

test('only organisers who may change solves adjust scores', async () => {
  const { id } = await adjust(first, 1)
  const support = await contest.admin(permissions.usersWrite)
  for (const member of [first, support]) {
    const token = member?.token ?? ''
    expect(await send({ userId: idOf(first), points: 5, reason: 'x' }, token)).toMatchObject({
      kind: 'badPerms',
    })
    expect(await undo(id, token)).toMatchObject({ kind: 'badPerms' })
    const list = await contest.call(contract.listAdminScoreAdjustments, { token, query: {} as never })
    expect(list).toMatchObject({ kind: 'badPerms' })
  }
})
