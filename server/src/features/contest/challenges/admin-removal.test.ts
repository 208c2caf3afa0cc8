import * as contract from '@pennant/contract/admin-challenges.ts'
import type { SentOf } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putFeed } from '../../../../test/contest-data.ts'
import { feedRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

const dynamic = { kind: 'dynamic', source: { transport: 'webhook', secret: 'secret' } } as const

function put(id: string, data: SentOf<typeof contract.putChallengeV2>['body']['data']) {
  return contest.call(contract.putChallengeV2, { token: admin.token, params: { id }, body: { data } })
}

const read = (id: string) =>
  contest.call(contract.readAdminChallengeV2, { token: admin.token, params: { id } })

async function submit({ token }: Member, id: string): Promise<string> {
  return (await contest.call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } })).kind
}

async function solve(id: string): Promise<Member> {
  const team = await contest.team()
  expect(await submit(team, id)).toBe('goodFlag')
  return team
}

describe('deleting a challenge', () => {
  const remove = (id: string) =>
    contest.call(contract.deleteChallenge, { token: admin.token, params: { id } })

  test('deletes its solves and generated flags and keeps the audit', async () => {
    const flags = [
      { config: { flag: 'flag{x}' } },
      { provider: 'flags/dynamic', config: { base: 'flag{y}' } },
    ]
    await put('gone', { flags })
    const team = await solve('gone')
    await contest.app.providers.flags.flagsForTeam(
      { id: 'gone', flags: [{ ...flags[1]!, provider: 'flags/dynamic' }] },
      team.id,
    )
    expect((await remove('gone')).kind).toBe('goodChallengeDelete')
    const [left] = await contest.db.query(sql`
      select (select count(*) from solves where challenge_id = 'gone') as solves,
        (select count(*) from dynamic_flags where challenge_id = 'gone') as flags,
        (select count(*) from submissions where challenge_id = 'gone') as audited`)
    expect(left).toEqual({ solves: 0, flags: 0, audited: 1 })
    expect(contest.world().challenge('gone')).toBeUndefined()
    expect(contest.world().solve('gone', team.id)).toBeUndefined()
    expect((await read('gone')).kind).toBe('badChallenge')
  })

  test('again succeeds and is not audited', async () => {
    const count = () => contest.db.query(sql`select count(*) from admin_actions`)
    const before = await count()
    expect((await remove('never was')).kind).toBe('goodChallengeDelete')
    expect(await count()).toEqual(before)
  })

  test('and creating it again starts from scratch', async () => {
    await put('again', { name: 'Old', flag: 'flag{x}' })
    const team = await solve('again')
    await remove('again')
    await put('again', { flag: 'flag{x}' })
    expect((await read('again')).data).toMatchObject({ name: '', solveCount: 0 })
    expect(await submit(team, 'again')).toBe('goodFlag')
  })
})

describe('revoking a solve', () => {
  const remove = (challengeId: string, userId: string) =>
    contest.call(contract.deleteSolve, { token: admin.token, params: { challengeId, userId } })

  test('lets the team solve again and keeps the audit', async () => {
    await put('taken', { flag: 'flag{x}' })
    const team = await solve('taken')
    const { id } = team
    expect((await remove('taken', id)).kind).toBe('goodChallengeSolveDelete')
    expect(contest.world().solve('taken', id)).toBeUndefined()
    expect((await remove('taken', id)).kind).toBe('badUnknownSolve')
    expect(await submit(team, 'taken')).toBe('goodFlag')
    const audit = await contest.db.query(sql`select result from submissions where challenge_id = 'taken'`)
    expect(audit).toEqual([{ result: 'correct' }, { result: 'correct' }])
  })

  test('works for points from a score feed, whose history then ends at zero', async () => {
    await put('unfed', { scoring: dynamic })
    const { id } = await contest.team()
    await putFeed(contest.db, feedRow('unfed', id, { points: 30, delta: 30 }))
    expect((await remove('unfed', id)).kind).toBe('goodChallengeSolveDelete')
    expect(contest.world().dynamicScore('unfed', id)).toBeUndefined()
    const [sum] = await contest.db.query(
      sql`select sum(delta)::int as sum from feed_events where challenge_id = 'unfed'`,
    )
    expect(sum).toEqual({ sum: 0 })
  })

  test('of an unknown team or challenge is an error', async () => {
    expect((await remove('unknown', admin.id)).kind).toBe('badUnknownSolve')
    expect((await remove('taken', 'nobody')).kind).toBe('badUnknownSolve')
  })
})
