import { listActions } from '@pennant/contract/actions.ts'
import { testToken } from '@pennant/contract/accounts.ts'
import { listApiTokens, revokeApiToken } from '@pennant/contract/api-tokens.ts'
import * as contract from '@pennant/contract/device-sign-in.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { limits } from '@pennant/contract/limits.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiTokenOf } from '../../../../test/api-tokens.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'

let contest: Contest
let team: Member
beforeEach(async () => {
  contest = await startContest()
  team = await contest.team('crew')
})
afterEach(() => contest[Symbol.asyncDispose]())

const name = 'pennant on laptop'

async function start(scopes: Scope[] = ['read', 'submit']) {
  const { kind, data } = await contest.call(contract.startDeviceSignIn, { body: { name, scopes } })
  if (kind !== 'goodDeviceStart') throw new Error(kind)
  return data
}

async function poll(deviceCode: string) {
  contest.clock.advance(contract.deviceTimes.intervalMs)
  const { kind, data } = await contest.call(contract.pollDeviceSignIn, { body: { deviceCode } })
  return kind === 'goodDeviceState' ? data.state : kind
}

const confirm = (userCode: string, scopes: Scope[] = ['read'], token = team.token) =>
  contest.call(contract.confirmDeviceRequest, { token, body: { userCode, scopes } })
const kindOf = async (token: string) => (await contest.call(testToken, { token })).kind

test('the secret of the program becomes an API token when a person confirms, and not before', async () => {
  const { deviceCode, userCode, ...rest } = await start()
  expect(rest).toEqual({ url: 'https://ctf.example/device', expiresAt: noon + 600_000, intervalMs: 5000 })
  expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  expect([await kindOf(deviceCode), await poll(deviceCode)]).toEqual(['badToken', 'pending'])
  const body = { userCode: userCode.toLowerCase().replace('-', '') }
  expect(await contest.call(contract.readDeviceRequest, { token: team.token, body })).toMatchObject({
    data: { name, ip: '127.0.0.1', isSameAddress: true, scopes: ['read', 'submit'], requestedAt: noon },
  })
  expect(await confirm(userCode)).toMatchObject({
    kind: 'goodDeviceConfirm',
    data: { name, scopes: ['read'], expiresAt: contest.clock.now() + 90 * DAY_MS },
  })
  expect(await poll(deviceCode)).toBe('confirmed')
  // The response may have been lost.
  expect(await poll(deviceCode)).toBe('confirmed')
  expect(await kindOf(deviceCode)).toBe('goodToken')
  const { data } = await contest.call(listApiTokens, { token: team.token })
  expect(data).toMatchObject({ tokens: [{ name, scopes: ['read'], isValid: true }] })
  expect(JSON.stringify([contest.logLines, data])).not.toContain(deviceCode)
})

test('a code works once', async () => {
  const { userCode } = await start()
  const both = await Promise.all([confirm(userCode), confirm(userCode)])
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['badDeviceCode', 'goodDeviceConfirm'])
  expect((await confirm(userCode)).kind).toBe('badDeviceCode')
})

test('a refused request never becomes a token', async () => {
  const { deviceCode, userCode } = await start()
  const body = { userCode }
  expect((await contest.call(contract.denyDeviceRequest, { token: team.token, body })).kind).toBe(
    'goodDeviceDeny',
  )
  expect([await poll(deviceCode), await kindOf(deviceCode)]).toEqual(['denied', 'badToken'])
  expect((await confirm(userCode)).kind).toBe('badDeviceCode')
  expect((await contest.call(contract.denyDeviceRequest, { token: team.token, body })).kind).toBe(
    'badDeviceCode',
  )
})

test('a request expires after ten minutes', async () => {
  const { deviceCode, userCode } = await start()
  contest.clock.advance(contract.deviceTimes.lifeMs)
  expect((await confirm(userCode)).kind).toBe('badDeviceCode')
  expect(await poll(deviceCode)).toBe('badDeviceCode')
})

test('polling faster than the interval is refused with the time to wait', async () => {
  const body = { deviceCode: (await start()).deviceCode }
  const ask = () => contest.call(contract.pollDeviceSignIn, { body })
  expect([(await ask()).kind, (await ask()).kind]).toEqual(['goodDeviceState', 'goodDeviceState'])
  expect(await ask()).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 5000 } })
})

test('a caller cannot try many codes', async () => {
  const body = { userCode: 'BCDF-GHJK' }
  for (let tries = 0; tries < limits.deviceCodes.burst; tries += 1)
    expect((await contest.call(contract.readDeviceRequest, { token: team.token, body })).kind).toBe(
      'badDeviceCode',
    )
  expect((await contest.call(contract.readDeviceRequest, { token: team.token, body })).kind).toBe(
    'badRateLimit',
  )
})

test('neither scopes beyond the request nor a token that is full, of a program or of another owner confirm', async () => {
  const { userCode } = await start(['read'])
  expect(await confirm(userCode, ['read', 'submit'])).toMatchObject({
    kind: 'badBody',
    data: { reason: expect.stringContaining('body:scopes') },
  })
  const program = await apiTokenOf(contest, team.token, ['read'])
  expect((await confirm(userCode, ['read'], program.token)).kind).toBe('badScope')
  expect((await confirm(userCode, ['read'], 'nonsense')).kind).toBe('badToken')
  for (let made = 1; made < 20; made += 1) await apiTokenOf(contest, team.token, ['read'])
  expect(await confirm(userCode, ['read'])).toMatchObject({ kind: 'badApiTokenCount', data: { max: 20 } })
  contest.clock.advance(15_000)
  const { data } = await contest.call(listApiTokens, { token: team.token })
  const [first] = (data as { tokens: { id: string }[] }).tokens
  await contest.call(revokeApiToken, { token: team.token, params: { id: first?.id ?? '' } })
  expect((await confirm(userCode, ['read'])).kind).toBe('goodDeviceConfirm')
})

test('the token is that of the person who confirms, and ends itself', async () => {
  const organisers = await contest.admin()
  const person = await personIn(contest, organisers.id)
  const { deviceCode, userCode } = await start(['challenges:read'])
  await confirm(userCode, ['challenges:read'], person.token)
  await eventually(async () =>
    expect((await contest.call(listApiTokens, { token: person.token })).data).toMatchObject({
      tokens: [{ name }],
    }),
  )
  for (const token of ['pnt_unknown', deviceCode, deviceCode])
    expect((await contest.call(contract.endDeviceToken, { body: { token } })).kind).toBe('goodDeviceEnd')
  expect(await kindOf(deviceCode)).toBe('badToken')
  const { data } = await contest.call(listActions, { token: organisers.token, query: {} })
  const actions = (data as { actions: { action: string }[] }).actions.map(({ action }) => action)
  expect(actions).toEqual(['api-token.revoke', 'api-token.create'])
})

test('the configured lifetime limits the token', async () => {
  await using strict = await startContest({ config: { programs: { maxLifetime: DAY_MS } } })
  const { token } = await strict.team()
  const { data } = await strict.call(contract.startDeviceSignIn, { body: { name, scopes: ['read'] } })
  const { userCode } = data as { userCode: string }
  const body = { userCode, scopes: ['read' as const] }
  expect(await strict.call(contract.confirmDeviceRequest, { token, body })).toMatchObject({
    data: { expiresAt: noon + DAY_MS },
  })
})
