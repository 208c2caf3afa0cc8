import { verifyV2, askVerifyInfo, registerV2 } from '@pennant/contract/accounts.ts'
import { listActions } from '@pennant/contract/actions.ts'
import { createApiToken } from '@pennant/contract/api-tokens.ts'
import { listOrganisers } from '@pennant/contract/admin-organisers.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import * as passkeys from '@pennant/contract/passkeys.ts'
import { readMe } from '@pennant/contract/people.ts'
import { ALL_PERMISSIONS, needsSecondFactor, roles } from '@pennant/contract/permissions.ts'
import * as contract from '@pennant/contract/second-factor.ts'
import { linkProvider, readSignInWays } from '@pennant/contract/sign-in.ts'
import { listSessions } from '@pennant/contract/sessions.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../ops/selftest/authenticator.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'
import { createDatabaseMarkers } from '../../../kv/database-markers.ts'
import { localLink } from '../accounts/local-link.ts'
import { firstAdminLink } from '../accounts/first-admin.ts'
import { hasSecondFactor, permissionsOf } from '../persons/permissions.ts'

const origin = 'https://ctf.example'
let contest: Contest
let team: Member

beforeAll(async () => {
  contest = await startContest({
    config: {
      origin,
      organisers: { secondFactor: ['owner'] },
      visibility: { challenges: 'organisers' },
    },
  })
  team = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

const kindOf = async (token: string) => (await contest.call(listOrganisers, { token })).kind
const owner = (methods: readonly string[] = ['mail']) => personIn(contest, team.id, { methods })

type Options = Readonly<Record<string, unknown>>
const optionsIn = (response: { readonly data?: unknown }) => (response.data as { options: Options }).options

async function addPasskey({ token }: Member, authenticator = createAuthenticator({ origin })) {
  const started = await contest.call(passkeys.startPasskey, { token })
  if (started.kind !== 'goodPasskeyOptions') return { kind: started.kind, authenticator }
  const response = authenticator.create(optionsIn(started)) as never
  const { kind } = await contest.call(passkeys.addPasskey, { token, body: { name: 'Key', response } })
  return { kind, authenticator }
}

async function confirm({ token }: Member, authenticator: ReturnType<typeof createAuthenticator>) {
  const started = await contest.call(contract.startConfirmation, { token })
  const response = authenticator.get(optionsIn(started)) as never
  return await contest.call(contract.confirmWithPasskey, { token, body: { response } })
}

const tokenIn = (response: { readonly data?: unknown }) => (response.data as { authToken: string }).authToken

describe('the rule', () => {
  test('asks for a second factor where permissions include a demanded role', () => {
    expect(needsSecondFactor(roles.owner, ['judge'])).toBe(true)
    expect(needsSecondFactor(roles.judge, ['judge'])).toBe(true)
    expect(needsSecondFactor(roles.author, ['judge', 'owner'])).toBe(false)
    expect(needsSecondFactor(1, ['all'])).toBe(true)
    expect(needsSecondFactor(0, ['all', 'owner'])).toBe(false)
    expect(needsSecondFactor(roles.owner, [])).toBe(false)
  })

  test('takes all permissions without one, and none with one', () => {
    const of = (isConfirmed: boolean, perms: number | null) =>
      permissionsOf({ perms: ALL_PERMISSIONS }, { person: { perms }, isConfirmed }, ['owner'])
    expect(of(false, null)).toEqual({ perms: 0, withheld: ALL_PERMISSIONS })
    expect(of(true, null)).toEqual({ perms: ALL_PERMISSIONS, withheld: 0 })
    expect(of(false, roles.judge)).toEqual({ perms: roles.judge, withheld: 0 })
  })

  test('knows which methods are one', () => {
    expect(hasSecondFactor(['mail'])).toBe(false)
    // Names of providers, and what they say, are marked: neither is taken for a method of this site.
    expect(hasSecondFactor(['provider', 'provider:passkey', 'amr:passkey', 'amr:pwd', 'amr:sms'])).toBe(false)
    expect(hasSecondFactor(['provider', 'provider:school', 'amr:mfa'])).toBe(true)
    expect(hasSecondFactor(['mail', 'recovery-code'])).toBe(true)
  })
})

describe('without a second factor', () => {
  test.each([
    ['the token of the team', async () => team],
    ['a person who signed in by mail', () => owner()],
    ['a person of a provider that says nothing of a second factor', () => owner(['provider', 'amr:pwd'])],
  ])('%s has no permissions', async (_, caller) => {
    const { token } = await caller()
    expect(await kindOf(token)).toBe('badSecondFactor')
    expect((await contest.call(listChallengesV2, { token })).kind).toBe('badVisibility')
  })

  test('an API token of the session has none, and one of a confirmed session keeps them', async () => {
    const create = async ({ token }: Member) => {
      const body = { name: 'cli', scopes: ['organise:read' as const], expiresAt: null }
      return ((await contest.call(createApiToken, { token, body })).data as { token: string }).token
    }
    for (const caller of [team, await owner()])
      expect(await kindOf(await create(caller))).toBe('badSecondFactor')
    expect(await kindOf(await create(await owner(['passkey'])))).toBe('goodOrganisers')
  })

  test('a role that does not need one has its permissions', async () => {
    const judge = await personIn(contest, team.id, { perms: roles.judge })
    expect((await contest.call(readMe, { token: judge.token })).data).toMatchObject({ perms: roles.judge })
    expect(await kindOf(judge.token)).toBe('badPerms')
  })

  test('a session ends after the time of organisers, not later', async () => {
    const { token } = await owner()
    contest.clock.advance(12 * HOUR_MS + 1000)
    expect((await contest.call(readMe, { token })).kind).toBe('badToken')
    team = await contest.admin()
  })
})

describe('a session gets a second factor', () => {
  test('from a first passkey, which raises this session and no other token', async () => {
    const person = await owner()
    const ways = (token: string) => contest.call(readSignInWays, { token })
    expect((await ways(person.token)).data).toMatchObject({
      secondFactor: { isDemanded: true, isConfirmed: false, isMissing: true, recoveryCodes: 0 },
    })
    expect((await contest.call(contract.startConfirmation, { token: person.token })).kind).toBe(
      'badNoPasskey',
    )
    const { kind, authenticator } = await addPasskey(person)
    expect(kind).toBe('goodPasskeyAdd')
    expect(await kindOf(person.token)).toBe('badSecondFactor')
    const raised = await confirm(person, authenticator)
    expect(await kindOf(tokenIn(raised))).toBe('goodOrganisers')
    expect(await kindOf(person.token)).toBe('badSecondFactor')
    const sessions = await contest.call(listSessions, { token: tokenIn(raised) })
    expect(sessions.data).toMatchObject({ sessions: [{ methods: ['mail', 'passkey'], isCurrent: true }] })
  })

  test('with no passkey of someone else, and not twice with one response', async () => {
    const [one, two] = [await owner(), await owner()]
    const { authenticator } = await addPasskey(one)
    await addPasskey(two)
    expect((await confirm(two, authenticator)).kind).toBe('badPasskeyResponse')
    const started = await contest.call(contract.startConfirmation, { token: one.token })
    const response = authenticator.get(optionsIn(started)) as never
    const send = (token: string) => contest.call(contract.confirmWithPasskey, { token, body: { response } })
    expect((await send(one.token)).kind).toBe('goodConfirmation')
    expect((await send(one.token)).kind).toBe('badPasskeyResponse')
    // A response that was made to confirm signs no one in.
    const again = await contest.call(contract.startConfirmation, { token: one.token })
    const body = { response: authenticator.get(optionsIn(again)) as never }
    expect((await contest.call(passkeys.finishPasskeySignIn, { body })).kind).toBe('badPasskeyResponse')
  })

  test('from a recovery code, once; the codes are ten, hashed, and replaced together', async () => {
    const person = await owner(['passkey'])
    const renew = async () => {
      const made = await contest.call(contract.renewRecoveryCodes, { token: person.token })
      return (made.data as { codes: string[] }).codes
    }
    const [old = ''] = await renew()
    const codes = await renew()
    expect(codes).toHaveLength(contract.RECOVERY_CODES)
    expect(codes[0]).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    const stored = await contest.db.query(sql`select c::text from recovery_codes c`)
    expect(JSON.stringify(stored)).not.toContain(codes[0]?.replaceAll('-', ''))
    const later = await owner()
    await contest.db.query(
      sql`update recovery_codes set person_id = ${later.id} where person_id = ${person.id}`,
    )
    const use = (code: string) =>
      contest.call(contract.confirmWithCode, { token: later.token, body: { code } })
    expect((await use(old)).kind).toBe('badRecoveryCode')
    const raised = await use(` ${codes[3]?.toUpperCase()} `)
    expect(await kindOf(tokenIn(raised))).toBe('goodOrganisers')
    expect((await use(codes[3] ?? '')).kind).toBe('badRecoveryCode')
    const ways = await contest.call(readSignInWays, { token: later.token })
    expect(ways.data).toMatchObject({ secondFactor: { recoveryCodes: contract.RECOVERY_CODES - 1 } })
    const logged = await contest.call(listActions, {
      token: tokenIn(raised),
      query: { limit: '5' },
    })
    expect(JSON.stringify(logged.data)).toContain('person.recovery-code')
  })

  test('guesses of recovery codes are limited', async () => {
    const { token } = await owner()
    const guess = async () =>
      (await contest.call(contract.confirmWithCode, { token, body: { code: 'abcd' } })).kind
    for (let tried = 0; tried < 10; tried += 1) expect(await guess()).toBe('badRecoveryCode')
    expect(await guess()).toBe('badRateLimit')
  })

  test('unless it has ended meanwhile', async () => {
    const person = await owner()
    const { authenticator } = await addPasskey(person)
    const started = await contest.call(contract.startConfirmation, { token: person.token })
    await contest.db.query(sql`update person_sessions set ended_at = now() where person_id = ${person.id}`)
    const body = { response: authenticator.get(optionsIn(started)) as never }
    expect((await contest.call(contract.confirmWithPasskey, { token: person.token, body })).kind).toBe(
      'badToken',
    )
  })
})

describe('whoever has only the first factor of an organiser', () => {
  test('adds no second one, and removes none', async () => {
    const person = await owner()
    const { authenticator } = await addPasskey(person)
    const { token } = person
    expect((await addPasskey(person)).kind).toBe('badSecondFactor')
    const made = createAuthenticator({ origin }).create({
      challenge: 'x'.repeat(43),
      user: { id: '' },
    }) as never
    const body = { name: 'Key', response: made }
    expect((await contest.call(passkeys.addPasskey, { token, body })).kind).toBe('badSecondFactor')
    const params = { id: authenticator.id }
    expect((await contest.call(passkeys.removePasskey, { token, params })).kind).toBe('badSecondFactor')
    expect((await contest.call(contract.renewRecoveryCodes, { token })).kind).toBe('badSecondFactor')
    const linking = { token, params: { id: 'none' }, body: { browserKey: 'k'.repeat(43) } }
    expect((await contest.call(linkProvider, linking)).kind).toBe('badSecondFactor')
  })

  test('nor after the organiser signed in with a provider that has one', async () => {
    const person = await owner(['provider', 'provider:school', 'amr:mfa'])
    const { db, tokens, now } = contest.app.stores
    const { beginSession } = await import('../persons/sessions.ts')
    const thief = { personId: person.id, methods: ['mail'], browser: '', ip: '', lifeMs: HOUR_MS }
    const token = await beginSession({ db, tokens, now }, thief)
    expect((await addPasskey({ id: person.id, token })).kind).toBe('badSecondFactor')
    expect((await addPasskey(person)).kind).toBe('goodPasskeyAdd')
  })
})

describe('the door that always remains', () => {
  const link = async (email: string) => {
    const { db, tokens, now } = contest.app.stores
    const markers = createDatabaseMarkers(db, now)
    return await localLink({ db, email, tokens, markers, loginTimeoutMs: HOUR_MS, origin, now })
  }
  const open = (verifyToken: string) => contest.call(verifyV2, { body: { verifyToken } })

  test('is a link of the machine, which works once and for the time of organisers', async () => {
    const [row] = await contest.db.query<{ email: string }>(
      sql`select email from teams where id = ${team.id}`,
    )
    const text = (await link(row?.email ?? '')) ?? ''
    const token = decodeURIComponent(text.split('#token=')[1] ?? '')
    expect((await contest.call(askVerifyInfo, { body: { token } })).data).toMatchObject({ kind: 'team' })
    const opened = await open(token)
    expect(await kindOf(tokenIn(opened))).toBe('goodOrganisers')
    expect((await open(token)).kind).toBe('badTokenVerification')
    expect((await contest.call(askVerifyInfo, { body: { token } })).kind).toBe('badTokenVerification')
    contest.clock.advance(12 * HOUR_MS)
    expect(await kindOf(tokenIn(opened))).toBe('badToken')
  })

  test('is not there for teams of players', async () => {
    await contest.call(registerV2, { body: { name: 'crew', email: 'crew@ctf.example' } as never })
    expect(await link('crew@ctf.example')).toBeNull()
  })

  test('is the link of the first admin', async () => {
    await using fresh = await startContest({ config: { origin, organisers: { secondFactor: 'all' } } })
    const { db, tokens, now } = fresh.app.stores
    const markers = createDatabaseMarkers(db, now)
    const text = await firstAdminLink({
      db,
      tokens,
      markers,
      loginTimeoutMs: HOUR_MS,
      now,
      origin,
      division: 'open',
    })
    const verifyToken = new URL(text ?? '').searchParams.get('token') ?? ''
    const made = await fresh.call(verifyV2, { body: { verifyToken } })
    expect((await fresh.call(listOrganisers, { token: tokenIn(made) })).kind).toBe('goodOrganisers')
  })
})
