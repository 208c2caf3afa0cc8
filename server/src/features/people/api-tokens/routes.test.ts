import { testToken } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/api-tokens.ts'
import { listActions } from '@pennant/contract/actions.ts'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { limits } from '@pennant/contract/limits.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { readOwnProfileV2, signOutEverywhere } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiTokenOf } from '../../../../test/api-tokens.ts'
import { setBanned } from '../../../../test/contest-data.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'
import { personRows } from '../persons/rows.ts'

let contest: Contest
let team: Member
beforeEach(async () => {
  contest = await startContest()
  team = await contest.team('crew')
})
afterEach(() => contest[Symbol.asyncDispose]())

const list = async (token: string) => {
  const { kind, data } = await contest.call(contract.listApiTokens, { token })
  if (kind !== 'goodApiTokens') throw new Error(kind)
  return data.tokens
}
const kindOf = async (token: string) => (await contest.call(testToken, { token })).kind
const create = (token: string, body: object) =>
  contest.call(contract.createApiToken, { token, body: body as never })

test('a token is shown once, stored hashed, listed and revoked', async () => {
  const { id, token } = await apiTokenOf(contest, team.token, ['read'])
  expect(token).toMatch(/^pnt_[0-9A-Za-z]{49}$/)
  expect(await list(team.token)).toMatchObject([
    {
      id,
      name: 'script',
      scopes: ['read'],
      createdAt: noon,
      expiresAt: null,
      isValid: true,
      lastUsedAt: null,
    },
  ])
  const stored = await contest.db.query(sql`select t::text from api_tokens t`)
  expect(JSON.stringify([stored, contest.logLines])).not.toContain(token)
  expect(await kindOf(token)).toBe('goodToken')
  const { kind } = await contest.call(contract.revokeApiToken, { token: team.token, params: { id } })
  expect(kind).toBe('goodApiTokenRevoke')
  expect(await kindOf(token)).toBe('badToken')
  expect(await list(team.token)).toEqual([])
})

test('a token can neither make, list nor revoke tokens, and reads no credential', async () => {
  const { id, token } = await apiTokenOf(contest, team.token, ['read', 'profile'])
  const kinds = await Promise.all([
    contest.call(contract.listApiTokens, { token }),
    create(token, { name: 'x', scopes: ['read'] }),
    contest.call(contract.revokeApiToken, { token, params: { id } }),
    contest.call(signOutEverywhere, { token }),
  ])
  for (const response of kinds) expect(response).toMatchObject({ kind: 'badScope', data: { scope: null } })
  const { data } = await contest.call(readOwnProfileV2, { token })
  expect(data).toMatchObject({ id: team.id, teamToken: '' })
})

test('a missing scope is named, also where a token is optional', async () => {
  const { token } = await apiTokenOf(contest, team.token, ['submit'])
  expect(await contest.call(testToken, { token })).toMatchObject({
    kind: 'badScope',
    data: { scope: 'read' },
  })
  const response = await fetch(`${contest.url}/api/v2/challs`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect([response.status, await response.json()]).toMatchObject([
    403,
    { kind: 'badScope', data: { scope: 'read' } },
  ])
})

test.each([
  ['name', { name: ' ', scopes: ['read'] }],
  ['name', { name: 'x'.repeat(101), scopes: ['read'] }],
  ['name', { name: 'a\u202Eb', scopes: ['read'] }],
  ['scopes', { name: 'x', scopes: [] }],
  ['scopes', { name: 'x', scopes: ['read', 'read'] }],
  ['scopes.0', { name: 'x', scopes: ['everything'] }],
  ['expiresAt', { name: 'x', scopes: ['read'], expiresAt: noon }],
])('requires a valid %s: %#', async (field, body) => {
  expect(await create(team.token, body)).toMatchObject({
    kind: 'badBody',
    data: { reason: expect.stringContaining(`body:${field}: `) },
  })
})

test('an owner has at most so many tokens; those that ended make room', async () => {
  await using roomy = await startContest()
  const { token } = await roomy.team()
  for (let at = 0; at < contract.apiTokenLimits.stored; at += 1) {
    roomy.clock.advance(MINUTE_MS)
    const body = { name: `n${at}`, scopes: ['read' as const], expiresAt: roomy.clock.now() + HOUR_MS }
    expect((await roomy.call(contract.createApiToken, { token, body })).kind).toBe('goodApiTokenCreate')
  }
  const body = { name: 'more', scopes: ['read' as const] }
  expect(await roomy.call(contract.createApiToken, { token, body })).toMatchObject({
    kind: 'badApiTokenCount',
    data: { max: 20 },
  })
  roomy.clock.advance(HOUR_MS)
  expect((await roomy.call(contract.createApiToken, { token, body })).kind).toBe('goodApiTokenCreate')
})

test('the configuration may demand an expiry', async () => {
  await using strict = await startContest({ config: { programs: { maxLifetime: DAY_MS } } })
  const { token } = await strict.team()
  const make = async (expiresAt: number | null) =>
    (await strict.call(contract.createApiToken, { token, body: { name: 'x', scopes: ['read'], expiresAt } }))
      .kind
  expect(await make(null)).toBe('badBody')
  expect(await make(noon + DAY_MS + 1)).toBe('badBody')
  expect(await make(noon + DAY_MS)).toBe('goodApiTokenCreate')
})

describe('a token ends', () => {
  test('when it expires, and when its team signs out everywhere', async () => {
    const expiresAt = noon + HOUR_MS
    const made = await create(team.token, { name: 'x', scopes: ['read'], expiresAt })
    const { token: expiring } = made.data as { token: string }
    const { token } = await apiTokenOf(contest, team.token, ['read'])
    expect(await kindOf(expiring)).toBe('goodToken')
    contest.clock.advance(HOUR_MS)
    expect([await kindOf(expiring), await kindOf(token)]).toEqual(['badToken', 'goodToken'])
    const left = await contest.call(signOutEverywhere, { token: team.token })
    expect(await kindOf(token)).toBe('badToken')
    const { authToken } = left.data as { authToken: string }
    expect((await list(authToken)).map(({ isValid }) => isValid)).toEqual([false, false])
    expect(await kindOf((await apiTokenOf(contest, authToken, ['read'])).token)).toBe('goodToken')
  })

  test('with its person: removed from the team, signed out, or deleted', async () => {
    const [moved, left, gone] = [
      await personIn(contest, team.id),
      await personIn(contest, team.id),
      await personIn(contest, team.id),
    ]
    const made = await Promise.all(
      [moved, left, gone].map(({ token }) => apiTokenOf(contest, token, ['read'])),
    )
    const kinds = () => Promise.all(made.map(({ token }) => kindOf(token)))
    expect(await kinds()).toEqual(['goodToken', 'goodToken', 'goodToken'])
    expect(await list(team.token)).toEqual([])
    await contest.db.change(async (tx) => {
      const later = new Date(contest.clock.now() + MINUTE_MS)
      await tx.query(sql`update persons set team_id = null where id = ${moved.id}`)
      await tx.query(sql`update persons set sessions_valid_from = ${later} where id = ${left.id}`)
      await tx.query(sql`delete from persons where id = ${gone.id}`)
      tx.changed(personRows, [moved.id, left.id, gone.id])
    })
    expect(await kinds()).toEqual(['badToken', 'badToken', 'badToken'])
  })

  test('while the token of the team itself is off', async () => {
    const person = await personIn(contest, team.id)
    const [ofTeam, ofPerson] = [
      await apiTokenOf(contest, team.token, ['read']),
      await apiTokenOf(contest, person.token, ['read']),
    ]
    await contest.db.change(async (tx) => {
      await tx.query(sql`update teams set token_off = true where id = ${team.id}`)
      tx.changed('teams', [team.id])
    })
    expect([await kindOf(ofTeam.token), await kindOf(ofPerson.token)]).toEqual(['badToken', 'goodToken'])
  })
})

test('a token has at most the permissions of its owner, and only those of its scopes', async () => {
  const organisers = await contest.admin()
  const limited = await personIn(contest, organisers.id, { perms: permissions.challsRead })
  const permsOf = async (token: string) =>
    ((await contest.call(readOwnProfileV2, { token })).data as { perms: number }).perms
  const all = ['read', 'settings:write', 'challenges:read'] as const
  expect(await permsOf((await apiTokenOf(contest, organisers.token, all)).token)).toBe(
    permissions.challsRead + permissions.settingsWrite,
  )
  expect(await permsOf((await apiTokenOf(contest, limited.token, all)).token)).toBe(permissions.challsRead)
  expect(await permsOf((await apiTokenOf(contest, organisers.token, ['read'])).token)).toBe(0)
})

test('a banned owner is refused where its own token is', async () => {
  const { token } = await apiTokenOf(contest, team.token, ['read', 'instances'])
  await setBanned(contest.db, team.id, true)
  expect(await kindOf(token)).toBe('goodToken')
  expect((await contest.call(readOwnProfileV2, { token })).data).toMatchObject({ banned: true })
})

test('each token has a limit of its own calls', async () => {
  const [one, other] = [
    await apiTokenOf(contest, team.token, ['read']),
    await apiTokenOf(contest, team.token, ['read']),
  ]
  for (let sent = 0; sent < limits.apiTokenCalls.burst; sent += 1) await kindOf(one.token)
  expect(await kindOf(one.token)).toBe('badRateLimit')
  expect(await kindOf(other.token)).toBe('goodToken')
})

test('the last use is written once a minute', async () => {
  const { token } = await apiTokenOf(contest, team.token, ['read'])
  const used = async (at: number) => {
    expect(await kindOf(token)).toBe('goodToken')
    await eventually(async () =>
      expect(await list(team.token)).toMatchObject([{ lastUsedAt: at, lastUsedIp: '127.0.0.1' }]),
    )
  }
  await used(noon)
  contest.clock.advance(MINUTE_MS - 1)
  await used(noon)
  contest.clock.advance(1)
  await used(noon + MINUTE_MS)
})

test('the stream does not stay open, so that it does not outlive the token', async () => {
  const { token } = await apiTokenOf(contest, team.token, ['read'])
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const stream = await fetch(`${contest.url}${openStream.path}`, { headers })
  expect(await stream.text()).toContain('event: hello')
})

describe('organisers', () => {
  const listed = (token: string, id: string) =>
    contest.call(contract.listTeamApiTokens, { token, params: { id } })
  const revoke = async (token: string, id: string, tokenId: string) =>
    (await contest.call(contract.revokeTeamApiToken, { token, params: { id, tokenId } })).kind

  test('list and revoke the tokens of a team and its people', async () => {
    const support = await contest.admin(permissions.usersWrite)
    const person = await personIn(contest, team.id, { name: 'Ada' })
    const [first, second] = [
      await apiTokenOf(contest, team.token, ['read']),
      await apiTokenOf(contest, person.token, ['submit']),
    ]
    expect((await listed(support.token, team.id)).data).toMatchObject({
      tokens: [
        { id: first.id, person: null },
        { id: second.id, person: { id: person.id, name: 'Ada' } },
      ],
    })
    expect((await listed(support.token, 'unknown')).kind).toBe('badUnknownUser')
    expect(await revoke(support.token, 'unknown', second.id)).toBe('badApiToken')
    expect(await revoke(support.token, team.id, second.id)).toBe('goodApiTokenRevoke')
    expect(await kindOf(second.token)).toBe('badToken')
    for (const { token } of [team, await contest.admin(63 - permissions.usersWrite)]) {
      expect((await listed(token, team.id)).kind).toBe('badPerms')
      expect(await revoke(token, team.id, first.id)).toBe('badPerms')
    }
  })

  test('only owners revoke tokens of teams with permissions', async () => {
    const [support, owner] = [await contest.admin(permissions.usersWrite), await contest.admin()]
    const { id, token } = await apiTokenOf(contest, owner.token, ['read'])
    expect(await revoke(support.token, owner.id, id)).toBe('badUserPrivileged')
    expect(await kindOf(token)).toBe('goodToken')
    expect(await revoke(owner.token, owner.id, id)).toBe('goodApiTokenRevoke')
  })

  test('what they do with a token names it in the action log', async () => {
    const owner = await contest.admin()
    const { id, token } = await apiTokenOf(contest, owner.token, ['announcements:write'])
    const data = { title: 'Hi', content: '', severity: 'info', audience: { kind: 'all' } } as const
    const { kind } = await contest.call(createAnnouncement, { token, body: { data } })
    expect(kind).toBe('goodAnnouncementUpdate')
    const { data: log } = await contest.call(listActions, { token: owner.token, query: { limit: '2' } })
    expect(log).toMatchObject({
      actions: [
        { action: 'announcement.create', actor: { id: owner.id, apiToken: { id, name: 'script' } } },
        { action: 'api-token.create', targets: [{ id, name: 'script' }] },
      ],
    })
  })
})
