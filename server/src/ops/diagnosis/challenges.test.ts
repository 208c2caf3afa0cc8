import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { tryFlags } from '@pennant/contract/flag-trials.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../test/harness.ts'
import { challengeChecks } from './challenges.ts'
import type { Subject } from './check.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function find(name: string) {
  const check = challengeChecks.find((each) => each.name === name)
  const subject: Partial<Subject> = { db: contest.db }
  return await check?.run(subject as Subject, AbortSignal.timeout(10_000))
}

async function put(data: Record<string, unknown>) {
  const params = { id: 'shop' }
  const result = await contest.call(putChallengeV2, { token: admin.token, params, body: { data } })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

const attempt = (flag: string) => ({
  token: admin.token,
  body: { data: { trials: [{ challengeId: 'shop', flag }] } },
})

test('a challenge counts as tried until its flags change', async () => {
  await put({ name: 'Shop', hidden: false, flags: [{ config: { flag: 'flag{shop}' } }] })
  const untried = {
    severity: 'warning',
    finding: expect.stringContaining('Shop'),
    remedy: expect.stringContaining('pennant challenges check'),
  }
  expect(await find('flag-trials')).toMatchObject(untried)
  await contest.call(tryFlags, attempt('flag{wrong}'))
  expect(await find('flag-trials')).toMatchObject(untried)
  await contest.call(tryFlags, attempt('flag{shop}'))
  expect(await find('flag-trials')).toMatchObject({ severity: 'ok' })
  await put({ description: 'Buy it.' })
  expect(await find('flag-trials')).toMatchObject({ severity: 'ok' })
  await put({ flags: [{ config: { flag: 'flag{other}' } }] })
  expect(await find('flag-trials')).toMatchObject(untried)
})

test('teams of organisers with solves are named', async () => {
  expect(await find('organiser-solves')).toMatchObject({ severity: 'ok' })
  const player = await contest.team()
  const submit = (token: string) =>
    contest.call(submitFlag, { token, params: { id: 'shop' }, body: { flag: 'flag{other}' } })
  await submit(player.token)
  expect(await find('organiser-solves')).toMatchObject({ severity: 'ok' })
  await submit(admin.token)
  expect(await find('organiser-solves')).toMatchObject({
    severity: 'warning',
    finding: expect.stringContaining(contest.world().team(admin.id)?.name ?? ''),
  })
})

test.each(['', ' \t'])('a challenge with the name %j is shown by its id', async (name) => {
  await put({ name, hidden: false, flags: [] })
  expect(await find('challenge-flags')).toMatchObject({ finding: expect.stringContaining('shop') })
  await put({ flags: [{ config: { flag: 'flag{unnamed}' } }] })
  expect(await find('flag-trials')).toMatchObject({ finding: expect.stringContaining('shop') })
  expect(await find('flag-secrets')).toMatchObject({ severity: 'ok' })
})
