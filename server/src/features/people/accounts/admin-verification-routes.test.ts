import { registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/admin-verifications.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { settleOutbox, tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { storeAdminRegistration } from './registrations.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({ config: withMail })
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

let serial = 0
async function registered(name = `waiting ${++serial}`) {
  const email = `waiting-${++serial}@example.org`
  await contest.call(registerV2, { body: { name, email } })
  return { name, email, id: (await listed()).find((row) => row.email === email)?.id ?? '' }
}

async function listed(on = contest) {
  const { data } = await on.call(contract.listVerifications, { token: admin.token })
  return (data as { verifications: { id: string; email: string }[] }).verifications
}

const about = (id: string) => ({ token: admin.token, params: { id } })
const complete = (id: string) => contest.call(contract.completeVerification, about(id))
const resend = (id: string, on = contest) => on.call(contract.resendVerification, about(id))
const kindOf = async (response: Promise<{ kind: string }>) => (await response).kind
const use = (verifyToken: string) => contest.call(verifyV2, { body: { verifyToken } })

async function actions(target: string) {
  return await contest.db.query<{ action: string }>(sql`
    select action, actor_id as actor from admin_actions where target = ${target}`)
}

test('lists pending registrations, newest first, without expired ones', async () => {
  const old = await registered()
  contest.clock.advance(HOUR_MS / 2)
  const young = await registered()
  const rows = await listed()
  expect(rows.map(({ id }) => id)).toEqual([young.id, old.id])
  const createdAt = contest.clock.now()
  expect(rows[0]).toEqual({ ...young, division: 'open', createdAt, expiresAt: createdAt + HOUR_MS })
  contest.clock.advance(HOUR_MS / 2)
  expect((await listed()).map(({ id }) => id)).toEqual([young.id])
  expect(await contest.db.query(sql`select id from pending_registrations`)).toEqual([{ id: young.id }])
  expect(await kindOf(complete(old.id))).toBe('badUnknownVerification')
})

test('a completion creates the team and invalidates the mailed link', async () => {
  const { id, name, email } = await registered()
  const { kind, data } = await complete(id)
  expect(kind).toBe('goodAdminUserVerificationComplete')
  const { userId } = data as { userId: string }
  expect(contest.world().team(userId)).toMatchObject({ name, email, division: 'open', perms: 0 })
  expect(await kindOf(use(await tokenMailedTo(contest, email)))).toBe('badTokenVerification')
  expect(await kindOf(complete(id))).toBe('badUnknownVerification')
  expect(await actions(userId)).toEqual([{ action: 'verification.complete', actor: admin.id }])
})

test('64 concurrent completions create one team', async () => {
  const { id, email } = await registered()
  const responses = await Promise.all(Array.from({ length: 64 }, () => complete(id)))
  const kinds = responses.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'goodAdminUserVerificationComplete')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'badUnknownVerification')).toHaveLength(63)
  expect(await contest.db.query(sql`select 1 from teams where email = ${email}`)).toHaveLength(1)
})

test('a completion and the link used at the same time create one team', async () => {
  const { id, email } = await registered()
  const token = await tokenMailedTo(contest, email)
  const kinds = [await Promise.all([kindOf(complete(id)), kindOf(use(token))])].flat()
  expect([
    ['goodAdminUserVerificationComplete', 'badTokenVerification'],
    ['badUnknownVerification', 'goodRegisterV2'],
  ]).toContainEqual(kinds)
  expect(await contest.db.query(sql`select 1 from teams where email = ${email}`)).toHaveLength(1)
})

test('a completion that fails with a collision keeps the row', async () => {
  const named = await registered('Wanted')
  const addressed = await registered()
  const blocker = await contest.team('WANTED')
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set email = ${addressed.email} where id = ${admin.id}`)
    tx.changed('teams', [admin.id])
  })
  for (let times = 0; times < 2; times++) {
    expect(await kindOf(complete(named.id))).toBe('badKnownName')
    expect(await kindOf(complete(addressed.id))).toBe('badKnownEmail')
  }
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set name = 'Other' where id = ${blocker.id}`)
    tx.changed('teams', [blocker.id])
  })
  expect(await kindOf(complete(named.id))).toBe('goodAdminUserVerificationComplete')
})

test('a resent mail has a link that expires together with the first one', async () => {
  const { id, email } = await registered()
  await tokenMailedTo(contest, email)
  contest.clock.advance(HOUR_MS / 2)
  expect(await resend(id)).toMatchObject({ kind: 'goodAdminUserVerificationResend', data: { id } })
  await settleOutbox(contest)
  const sent = contest.mails.filter(({ to }) => to === email)
  expect(sent).toHaveLength(2)
  expect(await actions(id)).toEqual([{ action: 'verification.resend', actor: admin.id }])
  const token = await tokenMailedTo(contest, email)
  contest.clock.advance(HOUR_MS / 2 + 1000)
  expect(await kindOf(use(token))).toBe('badTokenVerification')

  const again = await registered()
  await resend(again.id)
  expect(await kindOf(use(await tokenMailedTo(contest, again.email)))).toBe('goodRegisterV2')
  expect(await kindOf(resend(again.id))).toBe('badUnknownVerification')
})

test('resending does not exist without mail, and an unknown registration is reported first', async () => {
  await using plain = await startContest({ beside: contest })
  const { id } = await registered()
  expect(await kindOf(resend(id, plain))).toBe('badEndpoint')
  expect(await kindOf(resend('nothing', plain))).toBe('badUnknownVerification')
})

test("the first admin's link cannot be listed, completed or resent", async () => {
  const createdAt = contest.clock.now()
  const times = { createdAt, expiresAt: createdAt + HOUR_MS }
  const row = { id: 'link', email: 'boss@ctf.example', name: 'boss', division: 'open', perms: 63 }
  await storeAdminRegistration(contest.db, { ...row, ...times })
  expect((await listed()).map(({ id }) => id)).not.toContain('link')
  expect(await kindOf(complete('link'))).toBe('badUnknownVerification')
  expect(await kindOf(resend('link'))).toBe('badUnknownVerification')
})
