import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { buyHint, createHint, listHints } from '@pennant/contract/hints.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { expect, test } from 'vitest'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let solves = 0
const solve = ({ db }: Contest, { id: teamId }: Member, [challengeId, at]: readonly [string, number]) =>
  putSolve(db, solveRow((solves += 1), { challengeId, teamId, createdAt: at }))

/** Adds a released hint of the challenge `open`, and returns a function that buys it. */
async function sell({ call }: Contest, { admin, price }: { readonly admin: Member; readonly price: number }) {
  const data = { text: 'Look closely.', price, release: { kind: 'time', at: FIRST_INSTANT } } as const
  const made = await call(createHint, { token: admin.token, params: { id: 'open' }, body: { data } })
  if (made.kind !== 'goodAdminHint') throw new Error(made.kind)
  const params = { id: 'open', hintId: made.data.hint.id }
  return async ({ token }: Member) => (await call(buyHint, { token, params, body: { price } })).kind
}

test('in a freeze, a team pays with what it may know of, whatever others do', async () => {
  await using contest = await startContest()
  for (const id of ['open', 'early', 'later']) await putChallenge(contest.db, challengeRow(id))
  const [admin, team] = [await contest.admin(), await contest.team()]
  await solve(contest, team, ['early', noon - MINUTE_MS])
  const data = { freezeTime: noon }
  await contest.call(updateSettings, { token: admin.token, body: { data } })
  contest.clock.advance(2 * MINUTE_MS)
  const payable = async () => {
    const read = await contest.call(listHints, { token: team.token, params: { id: 'open' } })
    return read.kind === 'goodHints' ? read.data.score : read.kind
  }
  expect(await payable()).toBe(500)
  for (let n = 0; n < 5; n += 1) await solve(contest, await contest.team(), ['early', noon + MINUTE_MS])
  expect(contest.world().standing(team.id).score).toBeLessThan(500)
  expect(await payable()).toBe(500)

  // All of it can be spent, once.
  const [buyAll, buyOne] = [
    await sell(contest, { admin, price: 500 }),
    await sell(contest, { admin, price: 1 }),
  ]
  expect(await buyAll(team)).toBe('goodHint')
  expect(await buyOne(team)).toBe('badHintPoints')
  expect(await payable()).toBe(0)
  // An own solve since the freeze counts, an award that only organisers know of does not.
  const award = { userId: team.id, points: 50, reason: 'a report' }
  await contest.call(createScoreAdjustment, { token: admin.token, body: { data: award } })
  expect(await buyOne(team)).toBe('badHintPoints')
  await solve(contest, team, ['later', noon + MINUTE_MS])
  expect(await payable()).toBe(500)
  expect(await buyOne(team)).toBe('goodHint')
  expect(await payable()).toBe(499)

  const published = { freezeTime: noon, resultsPublished: true }
  await contest.call(updateSettings, { token: admin.token, body: { data: published } })
  expect(await payable()).toBe(contest.world().standing(team.id).score)
})
