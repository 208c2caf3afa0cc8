import { randomUUID } from 'node:crypto'
import * as accounts from '@pennant/contract/accounts.ts'
import { createTeamToken, signOutTeam } from '@pennant/contract/admin-teams.ts'
import * as external from '@pennant/contract/external-auth.ts'
import { removeExtrank, setExtrank } from '@pennant/contract/extrank.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import {
  readOwnProfileV2,
  removeEmail,
  setEmailV1,
  setEmailV2,
  signOutEverywhere,
} from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setBanned } from '../../../../test/contest-data.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { siteClient } from '../../../../test/ranking-site.ts'
import { changeTeam } from '../../../../test/team-rows.ts'
import { demote, promote, signOutByEmail } from './admins.ts'
import { createTokens } from './tokens.ts'

let contest: Contest
/** Another process of the same deployment. */
let replica: Contest
let manager: Member
let client: { readonly id: string; readonly secret: string }
const redirectUri = 'https://site.example/'

beforeAll(async () => {
  const config = { ...withMail, extrank: siteClient }
  contest = await startContest({ config })
  replica = await startContest({ config, beside: contest })
  manager = await contest.admin(permissions.usersWrite)
  const body = { name: 'Site', redirectUri }
  const made = await contest.call(external.createExternalAuthClient, { token: manager.token, body })
  client = made.data as typeof client
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await contest[Symbol.asyncDispose]()
})

const issuer = () => contest.app.stores.tokens
const emailOf = (id: string) => contest.world().team(id)?.email ?? ''
const validFrom = (id: string) => contest.world().team(id)?.tokensValidFrom ?? 0

const checkToken = (token: string, at = contest) => at.call(accounts.testToken, { token })
const login = (teamToken: string, at = contest) => at.call(accounts.login, { body: { teamToken } })
const verify = (verifyToken: string) => contest.call(accounts.verifyV2, { body: { verifyToken } })
const readInfo = (token: string) => contest.call(accounts.readVerifyInfo, { query: { token } })

async function newCode(member: Member): Promise<string> {
  const body = { clientId: client.id, redirectUri }
  const { data } = await contest.call(external.authorizeExternalAuth, { token: member.token, body })
  return new URL((data as { redirectTo: string }).redirectTo).searchParams.get('code') ?? ''
}

const exchange = (code: string) =>
  contest.call(external.exchangeExternalAuthCode, {
    body: { clientId: client.id, clientSecret: client.secret, code },
  })

/** All tokens that an attacker might have kept to sign in as the team, directly or after another step. */
async function storedTokens({ id, token }: Member) {
  // Another address each time: an earlier mail must not be taken for the new one.
  const newEmail = `moved-${randomUUID()}@example.org`
  await contest.call(setEmailV2, { token, body: { email: newEmail } })
  await changeTeam(contest, id, sql`extrank_id = ${id}`)
  return {
    auth: token,
    team: issuer().issueTeam(id, validFrom(id)),
    external: issuer().issueExternal(id, Math.max(contest.clock.now(), validFrom(id))),
    update: await tokenMailedTo(contest, newEmail),
    handoff: issuer().issueHandoff({ name: 'n', extrankId: id }, validFrom(id)),
    code: await newCode({ id, token }),
  }
}

/** The response to each token at the endpoint that accepts it. */
async function answersTo({ auth, team, external: site, update, handoff, code }: Record<string, string>) {
  return {
    auth: (await checkToken(auth ?? '')).kind,
    'auth at another process': (await checkToken(auth ?? '', replica)).kind,
    external: (await checkToken(site ?? '')).kind,
    'team, login': (await login(team ?? '')).kind,
    'team, login at another process': (await login(team ?? '', replica)).kind,
    'team, verify': (await verify(team ?? '')).kind,
    'team, verify-info': (await readInfo(team ?? '')).kind,
    'update, verify-info': (await readInfo(update ?? '')).kind,
    'update, verify': (await verify(update ?? '')).kind,
    'handoff, login': (await contest.call(accounts.login, { body: { extrankToken: handoff ?? '' } })).kind,
    code: (await exchange(code ?? '')).kind,
  }
}

const refused = {
  auth: 'badToken',
  'auth at another process': 'badToken',
  external: 'badToken',
  'team, login': 'badTokenVerification',
  'team, login at another process': 'badTokenVerification',
  'team, verify': 'badTokenVerification',
  'team, verify-info': 'badTokenVerification',
  'update, verify-info': 'badTokenVerification',
  'update, verify': 'badTokenVerification',
  'handoff, login': 'badExtrankToken',
  code: 'badExternalAuthRequest',
}

const accepted = {
  auth: 'goodToken',
  'auth at another process': 'goodToken',
  external: 'goodToken',
  'team, login': 'goodLogin',
  'team, login at another process': 'goodLogin',
  'team, verify': 'goodVerify',
  'team, verify-info': 'goodVerifyInfo',
  'update, verify-info': 'goodVerifyInfo',
  'update, verify': 'goodEmailSet',
  'handoff, login': 'goodLogin',
  code: 'goodExternalAuthToken',
}

type Move = (member: Member) => Promise<unknown>
const now = () => contest.clock.now()
const moves: Readonly<Record<string, Move>> = {
  'a promotion': ({ id }) => promote(contest.db, { email: emailOf(id), perms: 1, now: now() }),
  'a demotion': ({ id }) => demote(contest.db, { email: emailOf(id), now: now() }),
  'the sign-out command': ({ id }) => signOutByEmail(contest.db, { email: emailOf(id), now: now() }),
  'the team itself': ({ token }) => contest.call(signOutEverywhere, { token }),
  'an organiser': ({ id }) => contest.call(signOutTeam, { token: manager.token, params: { id } }),
}

describe.each(Object.entries(moves))('%s', (name, move) => {
  test('invalidates all earlier tokens of the team in all processes, and no later ones', async () => {
    const member = name === 'a demotion' ? await contest.admin(2) : await contest.team()
    const other = await contest.team()
    const [kept, ofOther] = [await storedTokens(member), await storedTokens(other)]
    await move(member)
    await replica.app.stores.follower.catchUp()
    expect(await answersTo(kept)).toEqual(refused)
    expect(await answersTo(ofOther)).toEqual(accepted)

    // The clock has not advanced: valid tokens are distinguished from voided ones of the same second.
    const fresh = { id: member.id, token: issuer().issueAuth(member.id, validFrom(member.id)) }
    expect(await answersTo(await storedTokens(fresh))).toEqual(accepted)
    const again = await storedTokens(fresh)
    await move(fresh)
    if (name !== 'a promotion' && name !== 'a demotion') {
      await replica.app.stores.follower.catchUp()
      expect(await answersTo(again)).toEqual(refused)
    }
  })
})

test('a promotion or demotion that changes nothing leaves tokens valid', async () => {
  const member = await contest.admin(3)
  const email = emailOf(member.id)
  expect(await promote(contest.db, { email, perms: 2, now: now() })).toMatchObject({
    perms: 3,
    isChanged: false,
  })
  expect((await checkToken(member.token)).kind).toBe('goodToken')
  await demote(contest.db, { email, now: now() })
  const { id } = member
  const token = issuer().issueAuth(id, validFrom(id))
  expect(await demote(contest.db, { email, now: now() })).toMatchObject({ perms: 0, isChanged: false })
  expect((await checkToken(token)).kind).toBe('goodToken')
})

test('a team token from before a promotion never gets the permissions, nor does a session created from it', async () => {
  const { id } = await contest.team()
  const teamToken = issuer().issueTeam(id)
  await promote(contest.db, { email: emailOf(id), perms: 63, now: now() })
  expect((await login(teamToken)).kind).toBe('badTokenVerification')
  // Simulates a process that has not seen the sign-out yet. It issues a token as old as the one it received.
  await changeTeam(contest, id, sql`tokens_valid_from = null`)
  const { data } = await login(teamToken)
  const { authToken } = data as { authToken: string }
  await changeTeam(contest, id, sql`tokens_valid_from = to_timestamp(${now() / 1000 + 61}::float8)`)
  expect((await checkToken(authToken)).kind).toBe('badToken')
})

test('permissions changed by hand or by an earlier version invalidate tokens too', async () => {
  const { id } = await contest.team()
  const before = validFrom(id)
  await changeTeam(contest, id, sql`perms = 63`)
  const first = validFrom(id)
  expect(first).toBeGreaterThan(before)
  await changeTeam(contest, id, sql`perms = perms, name = name || ' again'`)
  expect(validFrom(id)).toBe(first)
  await changeTeam(contest, id, sql`perms = 0`)
  expect(validFrom(id)).toBeGreaterThan(first)
})

describe('signing out everywhere', () => {
  test('keeps the caller signed in, with a new team token', async () => {
    const { id, token } = await contest.team()
    const response = await contest.call(signOutEverywhere, { token })
    expect(response.kind).toBe('goodSignOutEverywhere')
    const { authToken, teamToken } = response.data as { authToken: string; teamToken: string }
    expect((await checkToken(authToken)).kind).toBe('goodToken')
    expect((await login(teamToken)).kind).toBe('goodLogin')
    const own = await contest.call(readOwnProfileV2, { token: authToken })
    expect(own).toMatchObject({ kind: 'goodUserSelfData', data: { id } })
    expect((await login((own.data as { teamToken: string }).teamToken)).kind).toBe('goodLogin')
  })

  test('works for a banned team and changes nothing else', async () => {
    const { id, token } = await contest.team()
    await setBanned(contest.db, id, true)
    expect((await contest.call(signOutEverywhere, { token })).kind).toBe('goodSignOutEverywhere')
    expect(contest.world().team(id)).toMatchObject({ banned: true, perms: 0 })
  })

  test('is limited per team', async () => {
    const other = await contest.team()
    let { token } = await contest.team()
    for (let times = 0; times < 20; times++) {
      const { data } = await contest.call(signOutEverywhere, { token })
      token = (data as { authToken: string }).authToken
    }
    expect(await contest.call(signOutEverywhere, { token })).toMatchObject({
      kind: 'badRateLimit',
      data: { timeLeft: 15_000 },
    })
    expect((await contest.call(signOutEverywhere, { token: other.token })).kind).toBe('goodSignOutEverywhere')
    contest.clock.advance(15_000)
    expect((await contest.call(signOutEverywhere, { token })).kind).toBe('goodSignOutEverywhere')
  })

  test('from two requests at once signs in only the first caller', async () => {
    const { token } = await contest.team()
    const responses = await Promise.all([1, 2].map(() => contest.call(signOutEverywhere, { token })))
    const tokens = responses.map(({ data }) => (data as { authToken: string } | undefined)?.authToken ?? '')
    const kinds = await Promise.all(tokens.map(async (each) => (await checkToken(each)).kind))
    expect(kinds.filter((kind) => kind === 'goodToken')).toHaveLength(1)
  })
})

describe('an organiser who signs a team out', () => {
  const signOut = (id: string, by = manager) => contest.call(signOutTeam, { token: by.token, params: { id } })

  test('can issue a new token immediately, and the action is audited', async () => {
    const { id } = await contest.team()
    expect((await signOut(id)).kind).toBe('goodAdminUserSignOut')
    const made = await contest.call(createTeamToken, { token: manager.token, params: { id } })
    expect((await login((made.data as { token: string }).token)).kind).toBe('goodLogin')
    const actions = await contest.db.query(sql`
      select actor_id, action, target from admin_actions where target = ${id} order by id`)
    expect(actions).toMatchObject([{ action: 'team.sign-out' }, { action: 'team.token' }])
  })

  test('cannot do so for an admin or an unknown team, nor without usersWrite', async () => {
    const admin = await contest.admin(1)
    expect((await signOut(admin.id)).kind).toBe('badUserPrivileged')
    expect((await checkToken(admin.token)).kind).toBe('goodToken')
    expect((await signOut('00000000-0000-4000-8000-000000000000')).kind).toBe('badUnknownUser')
    expect((await signOut(admin.id, await contest.admin(63 - permissions.usersWrite))).kind).toBe('badPerms')
  })
})

describe('clocks that differ', () => {
  const tokensAt = (offsetMs: number) =>
    createTokens({ key: Buffer.alloc(32, 7), now: () => now() + offsetMs, loginTimeoutMs: 3_600_000 })

  test('by up to a minute neither keep an earlier token valid nor invalidate a new one', async () => {
    const { id, token } = await contest.team()
    const ahead = [tokensAt(60_000).issueAuth(id), tokensAt(60_999).issueAuth(id)]
    const { data } = await contest.call(signOutEverywhere, { token })
    const { authToken } = data as { authToken: string }
    for (const early of ahead) expect((await checkToken(early)).kind).toBe('badToken')
    for (const offset of [-60_000, 0, 60_000]) {
      const fresh = tokensAt(offset).issueAuth(id, validFrom(id))
      expect((await checkToken(fresh)).kind).toBe('goodToken')
    }
    expect((await checkToken(authToken)).kind).toBe('goodToken')
  })

  test('a token exchanged for another is never dated earlier than that one', async () => {
    // Simulates a token from a process that already knows of a sign-out that this one has not seen yet.
    const later = now() - (now() % 1000) + 61_000
    const { id } = await contest.team()
    const own = await contest.call(readOwnProfileV2, { token: issuer().issueAuth(id, later) })
    const { teamToken } = own.data as { teamToken: string }
    expect(issuer().open(teamToken, ['team'])?.issuedAt).toBe(later)
    const signedIn = await login(teamToken)
    const { authToken } = signedIn.data as { authToken: string }
    expect(issuer().open(authToken, ['auth'])?.issuedAt).toBe(later)
  })
})

describe('a process that has not seen a sign-out yet', () => {
  /** Simulates a sign-out that another process has just made. */
  const signedOutElsewhere = ({ db }: Contest, { id }: Member) =>
    db.query(
      sql`update teams set tokens_valid_from = to_timestamp(${now() / 1000 + 61}::float8) where id = ${id}`,
    )

  test('an old token cannot change sign-in data and gets no new token', async () => {
    const member = await contest.team()
    const { token } = member
    const { handoff, update } = await storedTokens(member)
    await signedOutElsewhere(contest, member)
    expect((await checkToken(token)).kind).toBe('goodToken')
    const kinds = [
      (await contest.call(signOutEverywhere, { token })).kind,
      (await contest.call(setExtrank, { token, body: { extrankToken: handoff } })).kind,
      (await contest.call(removeExtrank, { token })).kind,
      (await contest.call(removeEmail, { token })).kind,
    ]
    expect(kinds).toEqual(kinds.map(() => 'badToken'))
    expect((await verify(update)).kind).toBe('badTokenVerification')
  })

  test('an old token cannot change the address without mail either', async () => {
    await using plain = await startContest()
    const member = await plain.team()
    const { token } = member
    await signedOutElsewhere(plain, member)
    for (const route of [setEmailV1, setEmailV2]) {
      const response = await plain.call(route, { token, body: { email: 'mallory@example.org' } })
      expect(response.kind).toBe('badToken')
    }
  })
})

test('tokens of teams that never signed out stay valid, however old they are', async () => {
  const { id } = await contest.team()
  const old = createTokens({ key: Buffer.alloc(32, 7), now: () => 0, loginTimeoutMs: 1000 })
  expect((await checkToken(old.issueAuth(id))).kind).toBe('goodToken')
  expect((await login(old.issueTeam(id))).kind).toBe('goodLogin')
})
