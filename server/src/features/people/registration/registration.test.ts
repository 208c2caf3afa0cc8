import { registerV1, registerV2, verifyV1, verifyV2 } from '@pennant/contract/accounts.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { deleteTeam } from '@pennant/contract/admin-teams.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/registration.ts'
import { readOwnProfileV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
const divisions = { open: 'Open', school: 'School' }
beforeEach(async () => {
  contest = await startContest({ config: { divisions } })
  admin = await contest.admin()
})
afterEach(() => contest[Symbol.asyncDispose]())

const organise = async (data: object) => {
  const response = await contest.call(updateSettings, { token: admin.token, body: { data } })
  expect(response.kind).toBe('goodAdminSettingsUpdate')
}
const register = (name: string, more: { registrationCode?: string } = {}) =>
  contest.call(registerV2, { body: { name, email: `${name}@crews.test`, ...more } })

async function createCodes(
  data: Partial<{ amount: number; uses: number; division: string; expiresAt: number }>,
) {
  const body = { data: { amount: 1, ...data } }
  const response = await contest.call(contract.createRegistrationCodes, { token: admin.token, body })
  if (response.kind !== 'goodRegistrationCodesCreate') throw new Error(response.kind)
  return response.data.codes
}
async function listWaiting() {
  const response = await contest.call(contract.listRegistrations, {
    token: admin.token,
    query: { limit: '50', offset: '0' },
  })
  if (response.kind !== 'goodRegistrations') throw new Error(response.kind)
  return response.data.registrations
}
async function pendingToken(name: string): Promise<string> {
  const response = await register(name)
  if (response.kind !== 'goodRegistrationPending') throw new Error(response.kind)
  return response.data.registrationToken
}
const status = (token: string) => contest.call(contract.readRegistration, { body: { token } })
const claim = (token: string) => contest.call(contract.claimRegistration, { body: { token } })
const shown = async () => {
  const { data } = await contest.call(getClientConfigV2, {})
  const { registrationsEnabled, registration } = data as Record<string, unknown>
  return { registrationsEnabled, registration }
}

test('is open without settings, and the configuration says nothing of it', async () => {
  expect((await register('crew')).kind).toBe('goodRegisterV2')
  expect(await shown()).toEqual({ registrationsEnabled: true, registration: undefined })
})

test('opens and closes at its times and by the settings', async () => {
  const [opensAt, closesAt] = [noon + HOUR_MS, noon + 2 * HOUR_MS]
  await organise({ registrationOpensAt: opensAt, registrationClosesAt: closesAt })
  expect(await shown()).toEqual({
    registrationsEnabled: false,
    registration: { mode: 'open', opensAt, closesAt },
  })
  expect((await register('early')).kind).toBe('badRegistrationsDisabled')
  contest.clock.advance(HOUR_MS)
  expect(await shown()).toMatchObject({ registrationsEnabled: true })
  expect((await register('crew')).kind).toBe('goodRegisterV2')
  contest.clock.advance(HOUR_MS)
  expect((await register('late')).kind).toBe('badRegistrationsDisabled')
  await organise({ registrationClosesAt: null })
  expect((await register('late')).kind).toBe('goodRegisterV2')
  await organise({ registrationMode: 'closed' })
  expect((await register('later')).kind).toBe('badRegistrationsDisabled')
})

test('organisers open what the configuration closes', async () => {
  await using closed = await startContest({ config: { registrationsEnabled: false } })
  const owner = await closed.admin()
  const body = { name: 'crew', email: 'crew@crews.test' }
  expect((await closed.call(registerV2, { body })).kind).toBe('badRegistrationsDisabled')
  await closed.call(updateSettings, { token: owner.token, body: { data: { registrationMode: 'open' } } })
  expect((await closed.call(registerV2, { body })).kind).toBe('goodRegisterV2')
})

test('a code of one use makes one team, however many ask at once', async () => {
  await organise({ registrationMode: 'code' })
  const [code] = await createCodes({})
  expect((await register('without')).kind).toBe('badRegistrationCode')
  expect((await register('wrong', { registrationCode: 'AAAA-BBBB-CCCC-DDDD' })).kind).toBe(
    'badRegistrationCode',
  )
  const typed = ` ${code?.code.toLowerCase().replaceAll('-', ' ')} `
  const names = Array.from({ length: 8 }, (_, at) => `crew${at}`)
  const kinds = await Promise.all(
    names.map(async (name) => (await register(name, { registrationCode: typed })).kind),
  )
  expect(kinds.toSorted()).toEqual([...Array(7).fill('badRegistrationCode'), 'goodRegisterV2'])
  const list = await contest.call(contract.listRegistrationCodes, {
    token: admin.token,
    query: { limit: '10', offset: '0' },
  })
  expect(list.data).toMatchObject({ total: 1, codes: [{ uses: 1, maxUses: 1 }] })
})

test('codes end, are revoked, and are for one division', async () => {
  await organise({ registrationMode: 'code' })
  const [[brief], [revoked], [school]] = [
    await createCodes({ expiresAt: noon + HOUR_MS }),
    await createCodes({ uses: 5 }),
    await createCodes({ division: 'school', uses: 2 }),
  ]
  await contest.call(contract.revokeRegistrationCodes, {
    token: admin.token,
    body: { data: { ids: [revoked?.id ?? ''] } },
  })
  contest.clock.advance(HOUR_MS)
  for (const code of [brief, revoked])
    expect((await register('crew', { registrationCode: code?.code ?? '' })).kind).toBe('badRegistrationCode')
  const made = await register('pupils', { registrationCode: school?.code ?? '' })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  const { authToken: token } = made.data
  expect(await contest.call(readOwnProfileV2, { token })).toMatchObject({ data: { division: 'school' } })
  const moved = await contest.call(updateProfileV2, { token, body: { division: 'open' } })
  expect(moved.kind).toBe('badDivisionNotAllowed')
  expect(
    (
      await contest.call(contract.createRegistrationCodes, {
        token: admin.token,
        body: { data: { amount: 1, division: 'none' } },
      })
    ).kind,
  ).toBe('badBody')
})

test('a team that waits for approval is nowhere, and signs in once after it', async () => {
  await organise({ registrationMode: 'approval' })
  const token = await pendingToken('crew')
  expect((await register('Crew')).kind).toBe('badKnownName')
  expect(await status(token)).toMatchObject({ data: { state: 'waiting', waitsFor: 'approval', position: 1 } })
  expect((await claim(token)).kind).toBe('badTokenVerification')
  expect(await contest.db.query(sql`select 1 from teams where perms = 0`)).toEqual([])
  const [request] = await listWaiting()
  expect(request).toMatchObject({ name: 'crew', email: 'crew@crews.test', division: 'open' })
  const other = await pendingToken('other')
  const [, second] = await listWaiting()
  const approved = await contest.call(contract.approveRegistrations, {
    token: admin.token,
    body: { data: { ids: [request?.id ?? '', 'unknown'] } },
  })
  expect(approved.data).toEqual({ decided: [request?.id], problems: [{ id: 'unknown', problem: 'decided' }] })
  await contest.call(contract.refuseRegistrations, {
    token: admin.token,
    body: { data: { ids: [second?.id ?? ''], reason: 'Only schools' } },
  })
  expect(await status(other)).toMatchObject({ data: { state: 'refused', reason: 'Only schools' } })
  expect((await status(token)).data).toEqual({ name: 'crew', state: 'approved', waitsFor: 'approval' })
  const claims = await Promise.all([claim(token), claim(token)])
  expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['badTokenVerification', 'goodRegisterV2'])
  expect((await status(token)).kind).toBe('badTokenVerification')
  const actions = await contest.db.query(
    sql`select action from admin_actions where action like 'registration.%' order by id`,
  )
  expect(actions).toEqual([{ action: 'registration.approve' }, { action: 'registration.refuse' }])
})

test('teams beyond the maximum wait in order, and move up when a place is free', async () => {
  await organise({ maxTeams: 1 })
  const kinds = await Promise.all(['a1', 'b2', 'c3'].map(async (name) => (await register(name)).kind))
  expect(kinds.toSorted()).toEqual(['goodRegisterV2', 'goodRegistrationPending', 'goodRegistrationPending'])
  const [first, second] = await listWaiting()
  expect(await shown()).toMatchObject({ registration: { full: 'waitingList' } })
  const [team] = await contest.db.query<{ id: string }>(sql`select id from teams where perms = 0`)
  await contest.call(deleteTeam, { token: admin.token, params: { id: team?.id ?? '' } })
  const teamNames = async () =>
    (await contest.db.query<{ name: string }>(sql`select name from teams where perms = 0`)).map(
      ({ name }) => name,
    )
  await vi.waitUntil(async () => (await teamNames()).length > 0, { timeout: 60_000, interval: 50 })
  expect(await teamNames()).toEqual([first?.name])
  expect(await listWaiting()).toEqual([second])
  await organise({ maxTeams: null })
  await vi.waitUntil(async () => (await listWaiting()).length === 0, { timeout: 60_000, interval: 50 })
})

test('without a waiting list, a team beyond the maximum is refused and uses up no code', async () => {
  await organise({ maxTeams: 1, waitingList: false, registrationMode: 'code' })
  const [code] = await createCodes({ uses: 2 })
  expect((await register('crew', { registrationCode: code?.code ?? '' })).kind).toBe('goodRegisterV2')
  expect((await register('late', { registrationCode: code?.code ?? '' })).kind).toBe('badRegistrationsFull')
  expect(await contest.db.query(sql`select uses from registration_codes`)).toEqual([{ uses: 1 }])
})

test('a refused registration returns its code', async () => {
  await organise({ maxTeams: 1, registrationMode: 'code' })
  const [code] = await createCodes({ uses: 2 })
  const registrationCode = code?.code ?? ''
  await register('crew', { registrationCode })
  expect((await register('late', { registrationCode })).kind).toBe('goodRegistrationPending')
  const [request] = await listWaiting()
  await contest.call(contract.refuseRegistrations, {
    token: admin.token,
    body: { data: { ids: [request?.id ?? ''] } },
  })
  expect(await contest.db.query(sql`select uses from registration_codes`)).toEqual([{ uses: 1 }])
})

test('with mail, a code is used up when the team is made, and applicants get mail', async () => {
  await using mailed = await startContest({ config: { ...withMail, divisions } })
  const owner = await mailed.admin()
  const settings = (data: object) => mailed.call(updateSettings, { token: owner.token, body: { data } })
  await settings({ registrationMode: 'code' })
  const created = await mailed.call(contract.createRegistrationCodes, {
    token: owner.token,
    body: { data: { amount: 1 } },
  })
  if (created.kind !== 'goodRegistrationCodesCreate') throw new Error(created.kind)
  const registrationCode = created.data.codes[0]?.code ?? ''
  const ask = (name: string) =>
    mailed.call(registerV2, { body: { name, email: `${name}@crews.test`, registrationCode } })
  expect([(await ask('first')).kind, (await ask('second')).kind]).toEqual([
    'goodVerifySent',
    'goodVerifySent',
  ])
  const verify = async (name: string) => {
    const verifyToken = await tokenMailedTo(mailed, `${name}@crews.test`)
    return await mailed.call(verifyV2, { body: { verifyToken } })
  }
  expect([(await verify('second')).kind, (await verify('first')).kind]).toEqual([
    'goodRegisterV2',
    'badRegistrationCode',
  ])

  await settings({ registrationMode: 'approval' })
  expect((await ask('third')).kind).toBe('goodVerifySent')
  expect((await verify('third')).kind).toBe('goodRegistrationPending')
  const [row] = await mailed.db.query<{ id: string }>(sql`select id from registration_requests`)
  const body = { data: { ids: [row?.id ?? ''] } }
  await mailed.call(contract.approveRegistrations, { token: owner.token, body })
  const verifyToken = await tokenMailedTo(mailed, 'third@crews.test', 'Your team is registered')
  expect((await mailed.call(verifyV2, { body: { verifyToken } })).kind).toBe('goodVerify')
})

test('only organisers of teams decide, and no route works without a token', async () => {
  const player = await contest.team('player')
  for (const token of [player.token, undefined])
    for (const route of [contract.listRegistrations, contract.listRegistrationCodes])
      expect(
        (await contest.call(route, { ...(token && { token }), query: { limit: '1', offset: '0' } })).kind,
      ).toBe(token ? 'badPerms' : 'badToken')
})

describe.each([
  ['v1', registerV1, verifyV1],
  ['v2', registerV2, verifyV2],
] as const)('in %s', (_version, registers, verifies) => {
  const ask = async (name: string, of = contest, more: { registrationCode?: string } = {}) =>
    (await of.call(registers, { body: { name, email: `${name}@crews.test`, ...more } })).kind

  test('a team needs a code, waits, and is refused', async () => {
    await organise({ registrationMode: 'code' })
    expect(await ask('uninvited')).toBe('badRegistrationCode')
    await organise({ registrationMode: 'approval' })
    expect(await ask('patient')).toBe('goodRegistrationPending')
    await organise({ registrationMode: 'open', maxTeams: 1, waitingList: false })
    await contest.team()
    expect(await ask('late')).toBe('badRegistrationsFull')
  })

  test('with mail, the rules are those of the moment when the address is proved', async () => {
    await using mailed = await startContest({ config: withMail })
    const { token } = await mailed.admin()
    const rule = (data: object) => mailed.call(updateSettings, { token, body: { data } })
    const prove = async (name: string) => {
      const verifyToken = await tokenMailedTo(mailed, `${name}@crews.test`)
      return (await mailed.call(verifies, { body: { verifyToken } })).kind
    }
    await rule({ registrationMode: 'code' })
    const body = { data: { amount: 1 } }
    const made = await mailed.call(contract.createRegistrationCodes, { token, body })
    if (made.kind !== 'goodRegistrationCodesCreate') throw new Error(made.kind)
    const code = { registrationCode: made.data.codes[0]?.code ?? '' }
    for (const name of ['first', 'second', 'third'])
      expect(await ask(name, mailed, code)).toBe('goodVerifySent')
    expect(await prove('first')).toMatch(/^goodRegister/)
    expect(await prove('second')).toBe('badRegistrationCode')
    await rule({ registrationMode: 'open', maxTeams: 1, waitingList: false })
    await mailed.team()
    for (const name of ['fourth', 'fifth']) await rule({ maxTeams: 100 }).then(() => ask(name, mailed))
    await rule({ maxTeams: 1 })
    expect(await prove('fourth')).toBe('badRegistrationsFull')
    await rule({ registrationMode: 'approval', maxTeams: 100 })
    expect(await prove('fifth')).toBe('goodRegistrationPending')
  })
})

test('only so many codes can be used at once', async () => {
  await contest.db.query(sql`
    insert into registration_codes (id, code, code_hash, label, max_uses)
    select n, n, sha256(n::text::bytea), '', 1 from generate_series(1, 50000) n`)
  const request = { token: admin.token, body: { data: { amount: 1 } } }
  expect((await contest.call(contract.createRegistrationCodes, request)).kind).toBe('badTooManyCodes')
})
