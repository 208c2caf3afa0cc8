import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { MAX_FLAG_TRIALS, tryFlags } from '@pennant/contract/flag-trials.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

type Trials = readonly { readonly challengeId: string; readonly flag: string }[]
const send = (trials: Trials, token = admin.token) =>
  contest.call(tryFlags, { token, body: { data: { trials: [...trials] } } })

async function put(id: string, data: Record<string, unknown>) {
  const result = await contest.call(putChallengeV2, { token: admin.token, params: { id }, body: { data } })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

async function outcomesOf(trials: Trials) {
  const result = await send(trials)
  if (result.kind !== 'goodFlagTrials') throw new Error(result.kind)
  return result.data.trials.map(({ outcome, matchedFlagIndex }) => [outcome, matchedFlagIndex])
}

test('a trial is compared as a submission is, hidden challenges included', async () => {
  await put('try-hidden', {
    hidden: true,
    flags: [{ config: { flag: 'flag{one}' } }, { provider: 'flags/regex', config: { pattern: '^two\\d$' } }],
  })
  const trial = (flag: string, challengeId = 'try-hidden') => ({ challengeId, flag })
  const trials = ['flag{one}', 'two2', 'flag{One}', ' flag{one}', '', 'two2 '].map((flag) => trial(flag))
  expect(await outcomesOf(trials)).toEqual([
    ['accepted', 0],
    ['accepted', 1],
    ['refused', null],
    ['refused', null],
    ['refused', null],
    ['refused', null],
  ])
})

test('says why a challenge takes no flag', async () => {
  await put('try-none', { flags: [] })
  const scoring = { kind: 'dynamic', source: { secret: 'pushes' } }
  await put('try-pushed', { scoring, flags: [{ config: { flag: 'flag{x}' } }] })
  expect(
    await outcomesOf(
      ['try-none', 'try-pushed', 'try-absent'].map((challengeId) => ({ challengeId, flag: 'flag{x}' })),
    ),
  ).toEqual([
    ['noFlag', null],
    ['noFlag', null],
    ['noChallenge', null],
  ])
})

test('leaves no submission, solve, minted flag, change of points or action', async () => {
  await put('try-quiet', {
    hidden: false,
    points: { min: 100, max: 500 },
    flags: [
      { config: { flag: 'flag{quiet}' } },
      { provider: 'flags/dynamic', config: { base: 'flag{per_team}' } },
    ],
  })
  const count = async () => {
    const [row] = await contest.db.query(sql`
      select (select count(*) from submissions) as submissions, (select count(*) from solves) as solves,
        (select count(*) from dynamic_flags) as minted, (select count(*) from admin_actions) as actions,
        (select max(seq) from changes) as changes`)
    return row
  }
  const before = await count()
  const standing = contest.world().standing(admin.id)
  expect(await outcomesOf([{ challengeId: 'try-quiet', flag: 'flag{quiet}' }])).toEqual([['accepted', 0]])
  expect(await count()).toEqual(before)
  expect(contest.world().standing(admin.id)).toEqual(standing)
  expect(contest.world().challenge('try-quiet')).toMatchObject({ points: 500, solveCount: 0 })
})

test('whoever may read flags may try them, and no one else', async () => {
  const trials = [{ challengeId: 'try-quiet', flag: 'flag{quiet}' }]
  const { token } = await contest.admin(permissions.challsRead)
  expect(await send(trials, token)).toMatchObject({ kind: 'goodFlagTrials' })
  const other = await contest.admin(permissions.challsWrite)
  expect(await send(trials, other.token)).toMatchObject({ kind: 'badPerms' })
  expect(await send(trials, (await contest.team()).token)).toMatchObject({ kind: 'badPerms' })
})

test('lists and flags are bounded', async () => {
  const trial = { challengeId: 'try-absent', flag: 'x' }
  expect(await send([])).toMatchObject({ kind: 'badBody' })
  expect(await send(Array.from({ length: MAX_FLAG_TRIALS }, () => trial))).toMatchObject({ status: 200 })
  expect(await send(Array.from({ length: MAX_FLAG_TRIALS + 1 }, () => trial))).toMatchObject({
    kind: 'badBody',
  })
  expect(await send([{ ...trial, flag: 'x'.repeat(1025) }])).toMatchObject({ kind: 'badBody' })
})
