import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { deleteChallenge } from '@pennant/contract/admin-challenges.ts'
import { listActions, undoAction } from '@pennant/contract/actions.ts'
import * as contract from '@pennant/contract/hints.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { findViolations } from '../../../ops/verify/invariants.ts'
import { hintRows, purchasesOf } from './rows.ts'

let contest: Contest
let author: Member
let buyer: Member
beforeEach(async () => {
  contest = await startContest()
  author = await contest.admin(permissions.challsRead | permissions.challsWrite)
  buyer = await contest.team()
  const fixed = { scoringKind: 'static', pointsMax: 100 } as const
  for (const id of ['solved', 'open']) await putChallenge(contest.db, challengeRow(id, fixed))
  const solve = { challengeId: 'solved', teamId: buyer.id, createdAt: noon - 1000 }
  await putSolve(contest.db, solveRow(1, solve))
})
afterEach(() => contest[Symbol.asyncDispose]())

const now = { kind: 'time', at: FIRST_INSTANT } as const

function create(data: object, { id = 'open', token = author.token } = {}) {
  return contest.call(contract.createHint, { token, params: { id }, body: { data } as never })
}

async function add(data: object = { text: 'Look', price: 10, release: now }) {
  const response = await create(data)
  if (response.kind !== 'goodAdminHint') throw new Error(JSON.stringify(response))
  return response.data.hint
}

async function list(id = 'open') {
  const response = await contest.call(contract.listAdminHints, { token: author.token, params: { id } })
  if (response.kind !== 'goodAdminHints') throw new Error(response.kind)
  return response.data.hints
}

const order = async () => (await list()).map(({ id }) => id)

function buy(hintId: string, price = 10) {
  const request = { token: buyer.token, params: { id: 'open', hintId } }
  return contest.call(contract.buyHint, { ...request, body: { price } })
}

function remove(id: string, refund?: 'true') {
  return contest.call(contract.deleteHint, {
    token: author.token,
    params: { id },
    query: refund ? { refund } : {},
  })
}

function reorder(hintIds: readonly string[], id = 'open') {
  const body = { data: { hintIds: [...hintIds] } }
  return contest.call(contract.orderHints, { token: author.token, params: { id }, body })
}

const scoreOf = ({ id }: Member) => contest.world().standing(id).score

test('lists hints in their order with release and purchases', async () => {
  const first = await add()
  const second = await add({ text: 'Wait', release: { kind: 'after', minutes: 5 } })
  await buy(first.id)
  expect(await list()).toEqual([
    { ...first, purchases: 1, release: now, releaseAt: FIRST_INSTANT, price: 10, text: 'Look', version: 1 },
    { ...second, purchases: 0, release: { kind: 'after', minutes: 5 } },
  ])
  const after = [second.id, first.id]
  expect((await reorder(after)).kind).toBe('goodAdminHints')
  expect(await order()).toEqual(after)
  expect((await reorder([first.id])).kind).toBe('badHintOrder')
  expect((await reorder([first.id, first.id])).kind).toBe('badHintOrder')
  expect((await reorder([], 'none')).kind).toBe('badChallenge')
})

test('a hint that waits is released by hand, once', async () => {
  const { id, releaseAt } = await add({ text: 'Look' })
  expect(releaseAt).toBeNull()
  const release = () => contest.call(contract.releaseHint, { token: author.token, params: { id } })
  expect(await release()).toMatchObject({ data: { hint: { releaseAt: noon, version: 2 } } })
  contest.clock.advance(1000)
  expect(await release()).toMatchObject({ data: { hint: { releaseAt: noon, version: 2 } } })
  const missing = { token: author.token, params: { id: 'none' } }
  expect((await contest.call(contract.releaseHint, missing)).kind).toBe('badHint')
})

test('an edit of an earlier version, of none, or without a text is refused', async () => {
  const { id } = await add()
  const edit = (data: object, hintId = id) =>
    contest.call(contract.updateHint, {
      token: author.token,
      params: { id: hintId },
      body: { data } as never,
    })
  expect((await edit({ version: 1, text: 'Better' })).kind).toBe('goodAdminHint')
  expect(await edit({ version: 1, price: 5 })).toMatchObject({ kind: 'badHintVersion', data: { version: 2 } })
  expect((await edit({ version: 1 }, 'none')).kind).toBe('badHint')
  for (const data of [{ text: ' ' }, { price: -1 }, { price: 1.5 }, { release: { kind: 'after' } }])
    expect((await edit({ version: 2, ...data })).kind).toBe('badBody')
  expect((await create({ text: 'x'.repeat(10_001) })).kind).toBe('badBody')
})

test('numbers are bounded, and a challenge is required', async () => {
  expect((await create({ text: 'x' }, { id: 'none' })).kind).toBe('badChallenge')
  const none = { token: author.token, params: { id: 'none' } }
  expect((await contest.call(contract.listAdminHints, none)).kind).toBe('badChallenge')
  for (let count = 0; count < contract.hintLimits.perChallenge; count += 1) await add({ text: 'x' })
  expect(await create({ text: 'x' })).toMatchObject({ kind: 'badHintCount', data: { max: 20 } })
  await contest.db.query(sql`
    insert into hints (id, challenge_id, position, content, release_kind)
    select 'h' || i, 'solved', 1, 'x', 'manual' from generate_series(21, 2000) i`)
  await putChallenge(contest.db, challengeRow('third'))
  expect(await create({ text: 'x' }, { id: 'third' })).toMatchObject({
    kind: 'badHintCount',
    data: { max: 2000 },
  })
})

test('only organisers who may edit challenges', async () => {
  const { id } = await add()
  const reader = await contest.admin(permissions.challsRead)
  const player = await contest.team()
  expect((await create({ text: 'x' }, { token: reader.token })).kind).toBe('badPerms')
  for (const { token } of [reader, player]) {
    const calls = await Promise.all([
      contest.call(contract.updateHint, { token, params: { id }, body: { data: { version: 1 } } }),
      contest.call(contract.releaseHint, { token, params: { id } }),
      contest.call(contract.deleteHint, { token, params: { id }, query: {} }),
      contest.call(contract.orderHints, { token, params: { id: 'open' }, body: { data: { hintIds: [id] } } }),
    ])
    expect(calls.map(({ kind }) => kind)).toEqual(calls.map(() => 'badPerms'))
  }
  const request = { token: player.token, params: { id: 'open' } }
  expect((await contest.call(contract.listAdminHints, request)).kind).toBe('badPerms')
})

test('a bought hint is deleted only with a refund', async () => {
  const { id } = await add()
  await buy(id)
  expect(scoreOf(buyer)).toBe(90)
  expect(await remove(id)).toMatchObject({ kind: 'badHintBought', data: { purchases: 1 } })
  expect(await remove(id, 'true')).toMatchObject({ kind: 'goodHintDelete', data: { refunded: 1 } })
  expect(scoreOf(buyer)).toBe(100)
  expect(await order()).toEqual([])
  expect((await remove(id)).kind).toBe('badHint')
  expect(await buy(id)).toMatchObject({ kind: 'badHint' })
  expect(purchasesOf(contest.world(), buyer.id)).toEqual([])
  expect(await violations()).toEqual([])
  const [row] = await contest.db.query<{ undoneBy: string }>(sql`
    select undone_by as "undoneBy" from score_adjustments where undone_at is not null`)
  expect(row?.undoneBy).toBe(author.id)
  const { id: free } = await add({ text: 'Free' })
  expect(await remove(free)).toMatchObject({ kind: 'goodHintDelete', data: { refunded: 0 } })
})

test('deleting a challenge deletes its hints and gives the points back', async () => {
  const { id } = await add()
  await buy(id)
  await contest.call(deleteChallenge, { token: author.token, params: { id: 'open' } })
  expect(scoreOf(buyer)).toBe(100)
  expect([contest.world().rows(hintRows).byId.get(id), purchasesOf(contest.world(), buyer.id)]).toEqual([
    undefined,
    [],
  ])
  expect(await violations()).toEqual([])
})

async function violations() {
  const found = await contest.db.withClient(findViolations)
  return found.filter(({ check }) => check === 'hints')
}

test('verify notices a purchase without its price, and a price without a purchase', async () => {
  const { id } = await add()
  await buy(id)
  await contest.db.query(sql`update score_adjustments set points = -9`)
  expect(await violations()).toMatchObject([{ count: 1, examples: [`${id} by ${buyer.id}`] }])
  await contest.db.query(sql`update score_adjustments set points = -10`)
  expect(await violations()).toEqual([])
  await contest.db.query(sql`delete from hint_purchases`)
  expect(await violations()).toMatchObject([{ check: 'hints', count: 1 }])
})

test('an order is undone unless a hint was added since', async () => {
  const admin = await contest.admin()
  const [one, two] = [await add({ text: 'One' }), await add({ text: 'Two' })]
  const swap = () =>
    contest.call(contract.orderHints, {
      token: author.token,
      params: { id: 'open' },
      body: { data: { hintIds: [two.id, one.id] } },
    })
  const undoLatest = async () => {
    const listed = await contest.call(listActions, { token: admin.token, query: { action: 'hint.order' } })
    const seq = listed.kind === 'goodActions' ? listed.data.actions[0]?.seq : undefined
    return await contest.call(undoAction, { token: admin.token, params: { id: String(seq) } })
  }
  await swap()
  expect(await list()).toMatchObject([{ text: 'Two' }, { text: 'One' }])
  expect((await undoLatest()).kind).toBe('goodActionUndo')
  expect(await list()).toMatchObject([{ text: 'One' }, { text: 'Two' }])
  await swap()
  await add({ text: 'Three' })
  expect(await undoLatest()).toMatchObject({ kind: 'badActionChanged', data: { fields: ['order'] } })
  expect(await list()).toMatchObject([{ text: 'Two' }, { text: 'One' }, { text: 'Three' }])
})

test('the action log has every change, and undoes those that no one has used', async () => {
  const admin = await contest.admin()
  const hint = await add({ text: 'Look', price: 10 })
  const edit = (data: object) =>
    contest.call(contract.updateHint, {
      token: author.token,
      params: { id: hint.id },
      body: { data } as never,
    })
  await edit({ version: 1, price: 20 })
  const entries = async () => {
    const query = { limit: '10', offset: '0' }
    const response = await contest.call(listActions, { token: admin.token, query })
    if (response.kind !== 'goodActions') throw new Error(response.kind)
    return response.data.actions.filter(({ action }) => action.startsWith('hint.'))
  }
  const [updated, created] = await entries()
  expect(updated).toMatchObject({ action: 'hint.update', targets: [{ id: hint.id }, { id: 'open' }] })
  const undo = (seq: number | undefined) =>
    contest.call(undoAction, { token: admin.token, params: { id: String(seq) } })
  expect((await undo(updated?.seq)).kind).toBe('goodActionUndo')
  expect(await list()).toMatchObject([{ price: 10, text: 'Look', version: 3 }])
  expect((await undo(created?.seq)).kind).toBe('goodActionUndo')
  expect(await list()).toEqual([])
})
