import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { listChallengesV1, listChallengesV2 } from '@pennant/contract/challenges.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/hints.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import {
  createScoreAdjustment,
  listScoreAdjustments,
  undoScoreAdjustment,
} from '@pennant/contract/score-adjustments.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { createWave, moveWave } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge, putSolve, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { readStream } from '../../../../test/stream.ts'
import { findViolations } from '../../../ops/verify/invariants.ts'

let contest: Contest
let admin: Member
let [buyer, other]: Member[] = []
beforeEach(async () => {
  contest = await startContest()
  admin = await contest.admin()
  ;[buyer, other] = [await contest.team(), await contest.team()]
  const fixed = { scoringKind: 'static', pointsMax: 100 } as const
  for (const id of ['solved', 'open']) await putChallenge(contest.db, challengeRow(id, fixed))
  for (const [number, member] of [buyer, other].entries())
    await putSolve(
      contest.db,
      solveRow(number + 1, { challengeId: 'solved', teamId: idOf(member), createdAt: noon - MINUTE_MS }),
    )
})
afterEach(() => contest[Symbol.asyncDispose]())

const idOf = (member: Member | undefined) => member?.id ?? ''

async function add(data: object, challengeId = 'open') {
  const request = { token: admin.token, params: { id: challengeId } }
  const response = await contest.call(contract.createHint, { ...request, body: { data } as never })
  if (response.kind !== 'goodAdminHint') throw new Error(JSON.stringify(response))
  return response.data.hint
}

const released = async (data: object, challengeId?: string) => {
  const { id } = await add(data, challengeId)
  return await release(id)
}

async function release(id: string) {
  const response = await contest.call(contract.releaseHint, { token: admin.token, params: { id } })
  if (response.kind !== 'goodAdminHint') throw new Error(response.kind)
  return response.data.hint
}

async function read(member?: Member, { id = 'open', at = contest } = {}) {
  const response = await at.call(contract.listHints, { token: member?.token, params: { id } })
  if (response.kind !== 'goodHints') throw new Error(response.kind)
  return response.data
}

const texts = async (member?: Member) => (await read(member)).hints.map(({ text }) => text)

function buy(hintId: string, price: number, { member = buyer, id = 'open', at = contest } = {}) {
  return at.call(contract.buyHint, { token: member?.token, params: { id, hintId }, body: { price } })
}

async function scoreOf(member: Member | undefined, at: Contest = contest) {
  const query = { limit: '100', offset: '0' }
  const response = await at.call(getLeaderboardV2, { query })
  if (response.kind !== 'goodLeaderboard') throw new Error(response.kind)
  return response.data.leaderboard.find(({ id }) => id === member?.id)?.score
}

async function adjustmentsOf(member: Member | undefined, reader?: Member) {
  const request = { token: reader?.token, params: { id: idOf(member) } }
  const response = await contest.call(listScoreAdjustments, request)
  if (response.kind !== 'goodScoreAdjustments') throw new Error(response.kind)
  return response.data.adjustments.map(({ kind, points, reason }) => ({ kind, points, reason }))
}

async function hintCount(member?: Member, id = 'open') {
  const response = await contest.call(listChallengesV2, { token: member?.token })
  if (response.kind !== 'goodChallenges') throw new Error(response.kind)
  return response.data.find((each) => each.id === id)?.hints
}

test('a free hint is for everyone who sees the challenge, once it is released', async () => {
  const { id } = await add({ text: 'Look at the *header*.' })
  expect([await texts(buyer), await texts(), await hintCount()]).toEqual([[], [], undefined])
  await release(id)
  expect([await texts(buyer), await texts()]).toEqual([['Look at the *header*.'], ['Look at the *header*.']])
  expect([await hintCount(buyer), await hintCount()]).toEqual([1, 1])
  expect((await read(buyer)).score).toBe(100)
  expect((await read()).score).toBeNull()
  // The specified list is as before.
  const first = await contest.call(listChallengesV1, { token: buyer?.token })
  expect(JSON.stringify(first)).not.toContain('hints')
  // Nothing to buy: the text, free of charge.
  expect(await buy(id, 0)).toMatchObject({ kind: 'goodHint', data: { charged: 0, hint: { bought: false } } })
  expect(await scoreOf(buyer)).toBe(100)
})

test('a priced hint is bought once, for the whole team', async () => {
  const { id } = await released({ text: 'Secret', price: 30 })
  expect((await read(buyer)).hints).toEqual([{ id, price: 30, bought: false, text: null }])
  const response = await buy(id, 30)
  const hint = { id, price: 30, bought: true, text: 'Secret' }
  expect(response).toMatchObject({ kind: 'goodHint', data: { charged: 30, hint } })
  expect(await buy(id, 30)).toMatchObject({ kind: 'goodHint', data: { charged: 0, hint } })
  expect(await read(buyer)).toEqual({ hints: [hint], score: 70 })
  expect([await texts(other), await texts()]).toEqual([[null], [null]])
  expect([await scoreOf(buyer), await scoreOf(other)]).toEqual([70, 100])
  expect(await adjustmentsOf(buyer)).toEqual([
    { kind: 'hint', points: -30, reason: 'Hint 1 of Challenge open' },
  ])
})

test('64 purchases at once on two replicas are one', async () => {
  await using replica = await startContest({ beside: contest })
  const { id } = await released({ text: 'Secret', price: 30 })
  const cheap = await released({ text: 'Cheap', price: 20 })
  await replica.app.stores.follower.catchUp()
  const responses = await Promise.all(
    Array.from({ length: 64 }, (_, index) => buy(id, 30, { at: index % 2 === 0 ? contest : replica })),
  )
  expect(responses.map(({ kind }) => kind)).toEqual(responses.map(() => 'goodHint'))
  const charged = responses.map((each) => (each.kind === 'goodHint' ? each.data.charged : -1))
  expect(charged.toSorted((a, b) => b - a)).toEqual([30, ...Array.from({ length: 63 }, () => 0)])
  // Another hint is still for sale, and the sum is never spent twice.
  await Promise.all([buy(cheap.id, 20), buy(cheap.id, 20, { at: replica })])
  await replica.app.stores.follower.catchUp()
  await contest.app.stores.follower.catchUp()
  expect([await scoreOf(buyer), await scoreOf(buyer, replica)]).toEqual([50, 50])
  const rows = await contest.db.query(sql`select from hint_purchases`)
  const adjustments = await contest.db.query(sql`select from score_adjustments`)
  expect([rows.length, adjustments.length]).toEqual([2, 2])
  expect(await violations()).toEqual([])
})

async function violations() {
  const found = await contest.db.withClient(findViolations)
  return found.filter(({ check }) => check === 'hints')
}

test('a team cannot spend what it does not have, not even with two purchases at once', async () => {
  const { id: one } = await released({ text: 'One', price: 60 })
  const { id: two } = await released({ text: 'Two', price: 60 })
  const { id: dear } = await released({ text: 'Dear', price: 101 })
  expect(await buy(dear, 101)).toMatchObject({ kind: 'badHintPoints' })
  const kinds = (await Promise.all([buy(one, 60), buy(two, 60)])).map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(['badHintPoints', 'goodHint'])
  expect(await scoreOf(buyer)).toBe(40)
  const { id: last } = await released({ text: 'Last', price: 40 })
  expect(await buy(last, 40)).toMatchObject({ kind: 'goodHint' })
  expect((await read(buyer)).score).toBe(0)
})

test('a price that was changed meanwhile is not charged; a paid one stays', async () => {
  const { id, version } = await released({ text: 'Secret', price: 30 })
  await edit(id, { version, price: 50 })
  expect(await buy(id, 30)).toMatchObject({ kind: 'badHintPrice', data: { price: 50 } })
  expect(await scoreOf(buyer)).toBe(100)
  expect(await buy(id, 50)).toMatchObject({ kind: 'goodHint', data: { charged: 50 } })
  await edit(id, { version: version + 1, price: 5, text: 'Better' })
  expect((await read(buyer)).hints).toEqual([{ id, price: 50, bought: true, text: 'Better' }])
  expect((await read(other)).hints).toEqual([{ id, price: 5, bought: false, text: null }])
  expect(await scoreOf(buyer)).toBe(50)
  await edit(id, { version: version + 2, price: 0 })
  expect(await texts(other)).toEqual(['Better'])
})

async function edit(id: string, data: object) {
  const response = await contest.call(contract.updateHint, {
    token: admin.token,
    params: { id },
    body: { data } as never,
  })
  if (response.kind !== 'goodAdminHint') throw new Error(JSON.stringify(response))
  return response.data.hint
}

test('after the team has solved the challenge nothing is charged', async () => {
  const { id } = await released({ text: 'Secret', price: 30 }, 'solved')
  expect(await buy(id, 30, { id: 'solved' })).toMatchObject({ kind: 'badHintSolved' })
  expect(await scoreOf(buyer)).toBe(100)
})

test('only while the event runs, and bought hints stay readable after it', async () => {
  const { id } = await released({ text: 'Bought', price: 10 })
  const late = await released({ text: 'Late', price: 10 })
  await buy(id, 10)
  contest.clock.advance(48 * HOUR_MS)
  expect(await buy(late.id, 10)).toMatchObject({ kind: 'badEnded' })
  expect(await buy(id, 10)).toMatchObject({ kind: 'goodHint', data: { charged: 0 } })
  expect(await texts(buyer)).toEqual(['Bought', null])
  expect(await scoreOf(buyer)).toBe(90)
})

test('not before the event, and organisers who see it early buy nothing', async () => {
  await using early = await startContest({ startsAt: noon - 2 * HOUR_MS })
  const organiser = await early.admin()
  const team = await early.team()
  await putChallenge(early.db, challengeRow('open'))
  const made = await early.call(contract.createHint, {
    token: organiser.token,
    params: { id: 'open' },
    body: { data: { text: 'Secret', price: 10, release: { kind: 'time', at: FIRST_INSTANT } } },
  })
  const hintId = made.kind === 'goodAdminHint' ? made.data.hint.id : ''
  const attempt = (token: string) =>
    early.call(contract.buyHint, { token, params: { id: 'open', hintId }, body: { price: 10 } })
  expect(await attempt(team.token)).toMatchObject({ kind: 'badNotStarted' })
  expect(await attempt(organiser.token)).toMatchObject({ kind: 'badNotStarted' })
  const list = await early.call(contract.listHints, { token: team.token, params: { id: 'open' } })
  expect(list.kind).toBe('badNotStarted')
})

test('banned teams buy nothing', async () => {
  const { id } = await released({ text: 'Secret', price: 10 })
  await setBanned(contest.db, idOf(buyer), true)
  expect(await buy(id, 10)).toMatchObject({ kind: 'badPerms' })
})

test('a team with the most score adjustments buys nothing', async () => {
  const { id } = await released({ text: 'Secret', price: 10 })
  await contest.db.query(sql`
    insert into score_adjustments (id, team_id, points, reason)
    select 'a' || i, ${idOf(buyer)}, 1, 'Prize' from generate_series(1, 500) i`)
  expect(await buy(id, 10)).toMatchObject({ kind: 'badScoreAdjustmentCount', data: { max: 500 } })
})

test('the hint of a challenge that a team does not see cannot be bought', async () => {
  const { id } = await released({ text: 'Secret', price: 10 })
  expect((await buy(id, 10, { id: 'none' })).kind).toBe('badChallenge')
})

test('requests are limited per team', async () => {
  const { id } = await add({ text: 'Secret', price: 10 })
  const kinds = new Set<string>()
  for (let count = 0; count < 121; count += 1) kinds.add((await buy(id, 10)).kind)
  expect([...kinds]).toEqual(['badHint', 'badRateLimit'])
})

test('releases at a time, and some minutes after the challenge, move with its wave', async () => {
  const openAt = noon + HOUR_MS
  const made = await contest.call(createWave, {
    token: admin.token,
    body: { data: { name: 'Wave', openAt, challengeIds: ['open'], force: true } },
  })
  const wave = made.kind === 'goodWave' ? made.data.wave : undefined
  const timed = await add({ text: 'Timed', release: { kind: 'time', at: noon } })
  const after = await add({ text: 'After', release: { kind: 'after', minutes: 30 } })
  expect([timed.releaseAt, after.releaseAt]).toEqual([noon, openAt + 30 * MINUTE_MS])
  const list = await contest.call(contract.listHints, { params: { id: 'open' } })
  expect(list.kind).toBe('badChallenge')
  await contest.call(moveWave, {
    token: admin.token,
    params: { id: wave?.id ?? '' },
    body: { data: { version: wave?.version ?? 0, byMs: 30 * MINUTE_MS } },
  })
  contest.clock.advance(90 * MINUTE_MS)
  expect([await texts(), await hintCount()]).toEqual([['Timed'], 1])
  contest.clock.advance(30 * MINUTE_MS - 1)
  expect([await texts(), await hintCount()]).toEqual([['Timed'], 1])
  contest.clock.advance(1)
  expect([await texts(), await hintCount()]).toEqual([['Timed', 'After'], 2])
})

test('minutes count from the start of the event for a challenge without a release, also when the start is moved', async () => {
  const startTime = noon - HOUR_MS
  const { releaseAt } = await add({ text: 'After', release: { kind: 'after', minutes: 90 } })
  expect(releaseAt).toBe(startTime + 90 * MINUTE_MS)
  contest.clock.advance(30 * MINUTE_MS)
  expect(await texts()).toEqual(['After'])
  const moved = { startTime: startTime + MINUTE_MS }
  await contest.call(updateSettings, { token: admin.token, body: { data: moved } })
  expect([await texts(), await hintCount()]).toEqual([[], undefined])
  contest.clock.advance(MINUTE_MS)
  expect(await texts()).toEqual(['After'])
})

test('a withdrawn hint stays with those who bought it', async () => {
  const { id, version } = await released({ text: 'Secret', price: 10 })
  await buy(id, 10)
  await edit(id, { version, release: { kind: 'manual' } })
  expect([await texts(buyer), await texts(other)]).toEqual([['Secret'], []])
  expect(await buy(id, 10, { member: other as Member })).toMatchObject({ kind: 'badHint' })
  // The list of challenges has no hints any more, so the own team says where it bought some.
  expect([await hintChallenges(buyer), await hintChallenges(other)]).toEqual([['open'], undefined])
  await contest.call(contract.deleteHint, { token: admin.token, params: { id }, query: { refund: 'true' } })
  expect([await texts(buyer), await hintChallenges(buyer)]).toEqual([[], undefined])
})

async function hintChallenges(member: Member | undefined) {
  const own = await contest.call(readOwnProfileV2, { token: member?.token })
  return own.kind === 'goodUserSelfData' ? own.data.hintChallenges : own.kind
}

test('points given back do not take the text away', async () => {
  const { id } = await released({ text: 'Secret', price: 10 })
  await buy(id, 10)
  const [row] = await contest.db.query<{ id: string }>(sql`select id from score_adjustments`)
  await contest.call(undoScoreAdjustment, { token: admin.token, params: { id: row?.id ?? '' } })
  expect([await texts(buyer), await scoreOf(buyer)]).toEqual([['Secret'], 100])
  expect(await buy(id, 10)).toMatchObject({ kind: 'goodHint', data: { charged: 0 } })
  expect(await violations()).toEqual([])
})

test('the reason names a challenge only to readers who see it, and never the text', async () => {
  const { id } = await released({ text: 'Secret', price: 10 })
  await buy(id, 10)
  await contest.call(createScoreAdjustment, {
    token: admin.token,
    body: { data: { userId: idOf(buyer), points: 5, reason: 'Prize' } },
  })
  // Both have the same time.
  const reasons = async (reader?: Member) =>
    (await adjustmentsOf(buyer, reader)).map(({ reason }) => reason).toSorted()
  expect(await reasons()).toEqual(['Hint 1 of Challenge open', 'Prize'])
  await save({ prerequisites: ['solved'] })
  expect([await reasons(other), await reasons()]).toEqual([
    ['Hint 1 of Challenge open', 'Prize'],
    ['Hint', 'Prize'],
  ])
  await save({ hidden: true })
  expect([await reasons(other), await reasons(buyer)]).toEqual([
    ['Hint', 'Prize'],
    ['Hint', 'Prize'],
  ])
})

function save(data: object) {
  return contest.call(putChallengeV2, {
    token: admin.token,
    params: { id: 'open' },
    body: { data } as never,
  })
}

test('streams tell of releases, by hand and by the clock, and team mates of purchases', async () => {
  const waiting = await add({ text: 'Waits', price: 30 })
  await add({ text: 'Timed', release: { kind: 'time', at: noon + MINUTE_MS } })
  // A stream that gets both entries at once with the release reports it twice, which does no harm.
  await contest.app.stores.follower.catchUp()
  const readers = { team: await readStream(contest.url, buyer), nobody: await readStream(contest.url) }
  for (const reader of Object.values(readers)) await reader.next('hello')
  await release(waiting.id)
  const one = { challenges: [{ id: 'open', hints: 1 }] }
  for (const reader of Object.values(readers)) expect((await reader.next('hint')).data).toEqual(one)
  await buy(waiting.id, 30)
  expect((await readers.team.next('hint')).data).toEqual(one)
  contest.clock.advance(MINUTE_MS)
  await contest.app.stores.follower.catchUp()
  const two = { challenges: [{ id: 'open', hints: 2 }] }
  for (const reader of Object.values(readers)) expect((await reader.next('hint')).data).toEqual(two)
  // Hints that wait are not mentioned, and a purchase is the team's own.
  const count = ({ events }: { events: readonly { name: string }[] }) =>
    events.filter(({ name }) => name === 'hint').length
  expect([count(readers.team), count(readers.nobody)]).toEqual([3, 2])
  expect(JSON.stringify(readers)).not.toMatch(/Waits|Timed/)
  for (const reader of Object.values(readers)) reader.close()
})

test('of a withdrawn hint only its buyers hear: of an edit, and of its deletion', async () => {
  const { id, version } = await released({ text: 'Secret', price: 10 })
  await buy(id, 10)
  await edit(id, { version, release: { kind: 'manual' } })
  await contest.app.stores.follower.catchUp()
  const [team, nobody] = [await readStream(contest.url, buyer), await readStream(contest.url)]
  for (const reader of [team, nobody]) await reader.next('hello')
  const none = { challenges: [{ id: 'open', hints: 0 }] }
  await edit(id, { version: version + 1, text: 'Clearer' })
  expect((await team.next('hint')).data).toEqual(none)
  await contest.call(contract.deleteHint, { token: admin.token, params: { id }, query: { refund: 'true' } })
  expect((await team.next('hint')).data).toEqual(none)
  // Later than both. Twice if the stream gets its creation and its release at once.
  await released({ text: 'Next' })
  const one = { challenges: [{ id: 'open', hints: 1 }] }
  expect((await nobody.next('hint')).data).toEqual(one)
  const heard = nobody.events.filter(({ name }) => name === 'hint').map(({ data }) => data)
  expect(new Set(heard.map((data) => JSON.stringify(data)))).toEqual(new Set([JSON.stringify(one)]))
  for (const reader of [team, nobody]) reader.close()
})

test('a stream that resumes gets the releases that it missed', async () => {
  const reader = await readStream(contest.url)
  await reader.next('hello')
  const lastEventId = reader.lastEventId()
  reader.close()
  await released({ text: 'Missed' })
  const resumed = await readStream(contest.url, { lastEventId })
  expect((await resumed.next('hint')).data).toEqual({ challenges: [{ id: 'open', hints: 1 }] })
  resumed.close()
})
