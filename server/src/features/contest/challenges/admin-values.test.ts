import { putChallengeV1, putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'

let contest: Contest
beforeAll(async () => {
  contest = await startContest()
})
afterAll(() => contest[Symbol.asyncDispose]())

test('a flag that no player can submit is refused in both versions', async () => {
  const { token } = await contest.admin()
  for (const flag of [' flag{a}', 'flag{a}\n', 'flag{a\u200bb}', 'x'.repeat(1025)]) {
    const params = { id: 'unsubmittable' }
    for (const data of [{ flag }, { flags: [{ config: { flag } }] }])
      expect(await contest.call(putChallengeV2, { token, params, body: { data } })).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/no player/) },
      })
    const first = await contest.call(putChallengeV1, { token, params, body: { data: { flag } } })
    expect(first).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringMatching(/^body:data\.flag: /) },
    })
  }
  expect(contest.world().challenge('unsubmittable')).toBeUndefined()
})

test('a challenge that is worth nothing breaks no ties unless someone says so', async () => {
  const { token } = await contest.admin()
  const eligible = async (id: string, data: object) => {
    const result = await contest.call(putChallengeV2, { token, params: { id }, body: { data } })
    return result.kind === 'goodChallengeUpdateV2' ? result.data.tiebreakEligible : result.kind
  }
  expect(await eligible('free', { points: { min: 0, max: 0 } })).toBe(false)
  expect(await eligible('free', { name: 'Free' })).toBe(false)
  expect(await eligible('said', { points: { min: 0, max: 0 }, tiebreakEligible: true })).toBe(true)
  expect(await eligible('paid', { points: { min: 0, max: 1 } })).toBe(true)
  expect(await eligible('paid', { tiebreakEligible: false, points: { min: 5, max: 9 } })).toBe(false)
  expect(await eligible('paid', { points: { min: 6, max: 9 } })).toBe(false)
  // What no one said follows later edits of the points.
  expect(await eligible('free', { points: { min: 0, max: 100 } })).toBe(true)
  expect(await eligible('free', { points: { min: 0, max: 0 } })).toBe(false)
  expect(await eligible('free', { scoring: { kind: 'dynamic', source: { secret: 's' } } })).toBe(true)
  expect(await eligible('free', { scoring: { kind: 'static' }, tiebreakEligible: true })).toBe(true)
  expect(await eligible('said', { points: { min: 9, max: 9 } })).toBe(true)
  expect(await eligible('said', { points: { min: 0, max: 0 } })).toBe(true)
  expect(await eligible('said', { tiebreakEligible: null })).toBe(false)
  expect(await eligible('pushed', { scoring: { kind: 'dynamic', source: { secret: 's' } } })).toBe(true)
})
