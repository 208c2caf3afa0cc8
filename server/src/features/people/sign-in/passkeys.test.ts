import { MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/passkeys.ts'
import { confirmWithPasskey, startConfirmation } from '@pennant/contract/second-factor.ts'
import { readSignInWays, renewPersonalLink } from '@pennant/contract/sign-in.ts'
import { endSession, listSessions } from '@pennant/contract/sessions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator, type Authenticator } from '../../../ops/selftest/authenticator.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { teamless } from '../../../../test/people.ts'
import { relyingPartyOf } from './passkeys.ts'

const origin = 'https://ctf.example'
let contest: Contest

beforeAll(async () => {
  contest = await startContest({ config: { origin } })
})
afterAll(() => contest[Symbol.asyncDispose]())

type Options = Readonly<Record<string, unknown>>

async function optionsToAdd({ token }: Member): Promise<Options> {
  const started = await contest.call(contract.startPasskey, { token })
  return (started.data as { options: Options }).options
}

async function optionsToSignIn(): Promise<Options> {
  const started = await contest.call(contract.startPasskeySignIn, {})
  return (started.data as { options: Options }).options
}

const add = (person: Member, response: object, name = 'Laptop') =>
  contest.call(contract.addPasskey, { token: person.token, body: { name, response: response as never } })

const finish = (response: object) =>
  contest.call(contract.finishPasskeySignIn, { body: { response: response as never } })

async function withPasskey(): Promise<{ person: Member; authenticator: Authenticator }> {
  const [person, authenticator] = [await teamless(contest), createAuthenticator({ origin })]
  expect((await add(person, authenticator.create(await optionsToAdd(person)))).kind).toBe('goodPasskeyAdd')
  return { person, authenticator }
}

describe('a passkey', () => {
  test('is added, listed, renamed, signs in without a name, and is removed', async () => {
    const { person, authenticator } = await withPasskey()
    const signedIn = await finish(authenticator.get(await optionsToSignIn()))
    expect(signedIn).toMatchObject({
      kind: 'goodPersonSignIn',
      data: { person: { id: person.id }, isNew: false },
    })
    const { authToken: token } = signedIn.data as { authToken: string }
    const sessions = await contest.call(listSessions, { token })
    expect(sessions.data).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining({ methods: ['passkey'], isCurrent: true })]),
    })
    const params = { id: authenticator.id }
    const rename = (name: string, of = token) =>
      contest.call(contract.renamePasskey, { token: of, params, body: { name } })
    expect((await rename('Key on the ring')).kind).toBe('goodPasskeyUpdate')
    expect((await rename('Mine', (await teamless(contest)).token)).kind).toBe('badPasskey')
    const ways = await contest.call(readSignInWays, { token })
    expect(ways.data).toMatchObject({
      passkeys: [{ id: authenticator.id, name: 'Key on the ring', lastUsedAt: expect.any(Number) }],
    })
    const remove = () => contest.call(contract.removePasskey, { token, params })
    expect((await remove()).kind).toBe('badLastWay')
    await contest.call(renewPersonalLink, { token })
    expect((await remove()).kind).toBe('goodWayRemoved')
    expect((await remove()).kind).toBe('badPasskey')
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('badPasskeyResponse')
  })

  test('asks for a verified user and no attestation, and excludes the passkeys that are there', async () => {
    const { person, authenticator } = await withPasskey()
    expect(await optionsToAdd(person)).toMatchObject({
      rp: { id: 'ctf.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id, transports: ['internal'] }],
    })
    expect(await optionsToSignIn()).toMatchObject({ rpId: 'ctf.example', userVerification: 'required' })
  })

  test('belongs to one person, who has at most ten', async () => {
    const { authenticator } = await withPasskey()
    const other = await teamless(contest)
    expect((await add(other, authenticator.create(await optionsToAdd(other)))).kind).toBe('badKnownPasskey')
    const early = createAuthenticator({ origin }).create(await optionsToAdd(other))
    for (let made = 0; made < contract.passkeyLimits.stored; made += 1)
      await contest.db.query(sql`
        insert into passkeys (id, person_id, name, public_key, counter)
        values (${`${other.id}-${made}`}, ${other.id}, 'Key', '\\x00', 0)`)
    expect((await contest.call(contract.startPasskey, { token: other.token })).kind).toBe('badPasskeyCount')
    expect((await add(other, early)).data).toEqual({ max: contract.passkeyLimits.stored })
  })

  test('signs in no one who was deleted', async () => {
    const { person, authenticator } = await withPasskey()
    await contest.db.query(sql`delete from persons where id = ${person.id}`)
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('badPasskeyResponse')
  })

  test('begins a session that ends like any other', async () => {
    const { authenticator } = await withPasskey()
    const signedIn = await finish(authenticator.get(await optionsToSignIn()))
    const { authToken: token } = signedIn.data as { authToken: string }
    const { data } = await contest.call(listSessions, { token })
    const current = (data as { sessions: { id: string; isCurrent: boolean }[] }).sessions.find(
      (each) => each.isCurrent,
    )
    await contest.call(endSession, { token, params: { id: current?.id ?? '' } })
    expect((await contest.call(readSignInWays, { token })).kind).toBe('badToken')
  })
})

describe('a response is refused', () => {
  const wrong: Readonly<Record<string, (authenticator: Authenticator) => void>> = {
    'that was made for another origin': (each) => (each.origin = 'https://ctf.example.attacker.example'),
    'of another port of the same host': (each) => (each.origin = 'https://ctf.example:8443'),
    'that was made for another relying party': (each) => (each.rpId = 'attacker.example'),
    'without a verified user': (each) => (each.isUserVerified = false),
  }

  test.each(Object.entries(wrong))('%s', async (_, change) => {
    const person = await teamless(contest)
    const fresh = createAuthenticator({ origin })
    change(fresh)
    expect((await add(person, fresh.create(await optionsToAdd(person)))).kind).toBe('badPasskeyResponse')
    const { authenticator } = await withPasskey()
    change(authenticator)
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('badPasskeyResponse')
  })

  test('that repeats a challenge, answers a made-up one, or comes too late', async () => {
    const { authenticator } = await withPasskey()
    const used = await optionsToSignIn()
    expect((await finish(authenticator.get(used))).kind).toBe('goodPersonSignIn')
    expect((await finish(authenticator.get(used))).kind).toBe('badPasskeyResponse')
    const invented = { challenge: Buffer.alloc(32).toString('base64url') }
    expect((await finish(authenticator.get(invented))).kind).toBe('badPasskeyResponse')
    const late = await optionsToSignIn()
    contest.clock.advance(5 * MINUTE_MS + 1)
    expect((await finish(authenticator.get(late))).kind).toBe('badPasskeyResponse')
  })

  test('whose challenge is of another purpose or person', async () => {
    const { person, authenticator } = await withPasskey()
    const other = await teamless(contest)
    const fresh = createAuthenticator({ origin })
    expect((await finish(authenticator.get(await optionsToAdd(person)))).kind).toBe('badPasskeyResponse')
    expect((await add(other, fresh.create({ ...(await optionsToSignIn()), user: { id: '' } }))).kind).toBe(
      'badPasskeyResponse',
    )
    expect((await add(other, fresh.create(await optionsToAdd(person)))).kind).toBe('badPasskeyResponse')
    // A refused response used the challenge up.
    const mixed = await optionsToAdd(person)
    await add(other, fresh.create(mixed))
    expect((await add(person, fresh.create(mixed))).kind).toBe('badPasskeyResponse')
  })

  test('with a counter that is not higher', async () => {
    const { authenticator } = await withPasskey()
    authenticator.counter = 7
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('goodPersonSignIn')
    for (const counter of [7, 6, 0]) {
      authenticator.counter = counter
      expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('badPasskeyResponse')
    }
    authenticator.counter = 8
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('goodPersonSignIn')
  })

  test('whose user is another one, or whose signature is of another key', async () => {
    const { authenticator } = await withPasskey()
    const { person } = await withPasskey()
    authenticator.userHandle = Buffer.from(person.id).toString('base64url')
    expect((await finish(authenticator.get(await optionsToSignIn()))).kind).toBe('badPasskeyResponse')
    const forged = createAuthenticator({ origin }).get(await optionsToSignIn())
    expect((await finish({ ...forged, id: authenticator.id, rawId: authenticator.id })).kind).toBe(
      'badPasskeyResponse',
    )
  })

  test('that is no response', async () => {
    const { authenticator } = await withPasskey()
    const given = authenticator.get(await optionsToSignIn()) as { response: object }
    const nothing = { ...given, response: { ...given.response, clientDataJSON: 'bm90aGluZw' } }
    expect((await finish(nothing)).kind).toBe('badPasskeyResponse')
    expect((await finish({ ...given, type: 'password' })).kind).toBe('badBody')
    expect((await finish({ ...given, id: 'x'.repeat(1401) })).kind).toBe('badBody')
  })

  test('that has a certificate', async () => {
    const person = await teamless(contest)
    const given = createAuthenticator({ origin }).create(await optionsToAdd(person)) as {
      response: { attestationObject: string }
    }
    const none = Buffer.from('646e6f6e656761747453746d74', 'hex')
    const apple = Buffer.from('656170706c656761747453746d74', 'hex')
    const bytes = Buffer.from(given.response.attestationObject, 'base64url').toString('binary')
    const replaced = bytes.replace(none.toString('binary'), apple.toString('binary'))
    const attestationObject = Buffer.from(replaced, 'binary').toString('base64url')
    expect((await add(person, { ...given, response: { ...given.response, attestationObject } })).kind).toBe(
      'badPasskeyResponse',
    )
  })
})

test('there are no passkeys without people, or at an address without a name', async () => {
  expect(relyingPartyOf('http://127.0.0.1:8080')).toBeNull()
  expect(relyingPartyOf('http://[::1]:8080')).toBeNull()
  expect(relyingPartyOf('http://localhost:8080')).toBe('localhost')
  await using off = await startContest({ config: { origin, people: 'off' } })
  expect((await off.call(contract.startPasskeySignIn, {})).kind).toBe('badEndpoint')
  const none = createAuthenticator({ origin }).get({ challenge: 'none' })
  const body = { response: none as never }
  expect((await off.call(contract.finishPasskeySignIn, { body })).kind).toBe('badEndpoint')
  await using bare = await startContest({ config: { origin: 'http://127.0.0.1:1' } })
  const { token } = await teamless(bare)
  expect((await bare.call(contract.startPasskey, { token })).kind).toBe('badEndpoint')
  const made = createAuthenticator({ origin }).create({ challenge: 'none', user: { id: '' } })
  const keyed = { name: 'Key', response: made as never }
  expect((await bare.call(contract.addPasskey, { token, body: keyed })).kind).toBe('badEndpoint')
  expect((await bare.call(startConfirmation, { token })).kind).toBe('badEndpoint')
  expect((await bare.call(confirmWithPasskey, { token, body })).kind).toBe('badEndpoint')
})
