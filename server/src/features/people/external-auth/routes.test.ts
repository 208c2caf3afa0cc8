import { testToken } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/external-auth.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { setBanned } from '../../../../test/contest-data.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { removeTeam } from '../../../../test/team-rows.ts'

let contest: Contest
let admin: Member
let team: Member

beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin(permissions.usersWrite)
  team = await contest.team()
})
afterAll(() => contest[Symbol.asyncDispose]())

const redirectUri = 'https://writeups.example/callback?from=ctf'

interface Client {
  readonly id: string
  readonly secret: string
}

async function newClient(by: Member = admin): Promise<Client> {
  const body = { name: 'Writeups', redirectUri }
  const { data } = await contest.call(contract.createExternalAuthClient, { token: by.token, body })
  return data as Client
}

const authorize = (
  clientId: string,
  { token }: Partial<Member> = team,
  rest: { redirectUri?: string; state?: string } = {},
) => contest.call(contract.authorizeExternalAuth, { token, body: { clientId, redirectUri, ...rest } })

async function newCode(clientId: string, by = team): Promise<string> {
  const { data } = await authorize(clientId, by)
  return new URL((data as { redirectTo: string }).redirectTo).searchParams.get('code') ?? ''
}

const exchange = ({ id, secret }: Client, code: string) =>
  contest.call(contract.exchangeExternalAuthCode, { body: { clientId: id, clientSecret: secret, code } })

describe('signing in at another site', () => {
  test('exchanges consent for a code and the code for a token of the team', async () => {
    const client = await newClient()
    const shown = await contest.call(contract.readExternalAuthClient, { params: { id: client.id } })
    expect(shown).toMatchObject({
      kind: 'goodExternalAuthClient',
      data: { id: client.id, name: 'Writeups', redirectUri },
    })
    const consent = await authorize(client.id, team, { state: 'their state' })
    expect(consent.kind).toBe('goodExternalAuthAuthorize')
    const url = new URL((consent.data as { redirectTo: string }).redirectTo)
    const { code = '', ...rest } = Object.fromEntries(url.searchParams)
    expect([url.origin + url.pathname, rest]).toEqual([
      'https://writeups.example/callback',
      { from: 'ctf', state: 'their state' },
    ])
    expect(code).toMatch(/^[\w-]{43}$/)
    const { kind, data } = await exchange(client, code)
    expect([kind, data]).toEqual([
      'goodExternalAuthToken',
      { accessToken: expect.any(String), tokenType: 'bearer' },
    ])
    const { accessToken } = data as { accessToken: string }
    expect((await contest.call(testToken, { token: accessToken })).kind).toBe('goodToken')
    expect(contest.app.stores.tokens.open(accessToken, ['external'])?.teamId).toBe(team.id)
  })

  test('works before the start and after the end', async () => {
    const startTime = noon + 24 * HOUR_MS
    await using early = await startContest({ config: { startTime, endTime: startTime + HOUR_MS } })
    const { token } = await early.admin()
    const { data } = await early.call(contract.createExternalAuthClient, {
      token,
      body: { name: 'Early', redirectUri },
    })
    const body = { clientId: (data as Client).id, redirectUri }
    expect((await early.call(contract.authorizeExternalAuth, { token, body })).kind).toBe(
      'goodExternalAuthAuthorize',
    )
    early.clock.advance(48 * HOUR_MS)
    expect((await early.call(contract.authorizeExternalAuth, { token, body })).kind).toBe(
      'goodExternalAuthAuthorize',
    )
  })

  test('refuses an unknown client and an address that differs by a byte with the same response', async () => {
    const { id } = await newClient()
    const unknown = await contest.call(contract.readExternalAuthClient, { params: { id: 'unknown' } })
    expect(unknown.kind).toBe('badExternalAuthRequest')
    expect(await authorize('unknown')).toEqual(unknown)
    for (const other of [
      'https://writeups.example/callback',
      `${redirectUri}/`,
      `${redirectUri}#`,
      redirectUri.replace('https', 'http'),
      redirectUri.replace('writeups', 'Writeups'),
      redirectUri.replace('/callback', '/x/../callback'),
      redirectUri.replace('writeups.example', 'writeups.example:443'),
      redirectUri.replace('callback', 'c%61llback'),
    ]) {
      expect([other, await authorize(id, team, { redirectUri: other })]).toEqual([other, unknown])
    }
    const { kind, data } = await authorize(id, team, { redirectUri: '//writeups.example/callback' })
    expect([kind, (data as { reason: string }).reason]).toEqual([
      'badBody',
      expect.stringMatching(/^body:redirectUri: /),
    ])
  })

  test('requires a signed-in team that is not banned', async () => {
    const { id } = await newClient()
    expect((await authorize(id, {})).kind).toBe('badToken')
    const cheats = await contest.team()
    await setBanned(contest.db, cheats.id, true)
    expect((await authorize(id, cheats)).kind).toBe('badPerms')
  })

  test('is rate-limited if configured, after all other checks', async () => {
    const rateLimits = { externalAuthorize: { burst: 2, windowMs: 2000 } }
    await using strict = await startContest({ config: { rateLimits } })
    const { token } = await strict.admin()
    const { data } = await strict.call(contract.createExternalAuthClient, {
      token,
      body: { name: 'S', redirectUri },
    })
    const consent = async (clientId = (data as Client).id) =>
      await strict.call(contract.authorizeExternalAuth, { token, body: { clientId, redirectUri } })
    for (let i = 0; i < 5; i += 1) expect((await consent('unknown')).kind).toBe('badExternalAuthRequest')
    expect((await consent()).kind).toBe('goodExternalAuthAuthorize')
    expect((await consent()).kind).toBe('goodExternalAuthAuthorize')
    expect(await consent()).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 1000 } })
    strict.clock.advance(1000)
    expect((await consent()).kind).toBe('goodExternalAuthAuthorize')
  })
})

describe('a code', () => {
  const isRefused = async (client: Client, code: string) =>
    expect((await exchange(client, code)).kind).toBe('badExternalAuthRequest')

  test('is valid once, even for two concurrent requests', async () => {
    const client = await newClient()
    const code = await newCode(client.id)
    const responses = await Promise.all(Array.from({ length: 16 }, () => exchange(client, code)))
    expect(responses.filter(({ kind }) => kind === 'goodExternalAuthToken')).toHaveLength(1)
    await isRefused(client, code)
  })

  test('is valid for a minute', async () => {
    const client = await newClient()
    const [early, late] = [await newCode(client.id), await newCode(client.id)]
    contest.clock.advance(59_999)
    expect((await exchange(client, early)).kind).toBe('goodExternalAuthToken')
    contest.clock.advance(1)
    await isRefused(client, late)
  })

  test('stays valid after a wrong secret, and is not valid for another client', async () => {
    const [client, other] = [await newClient(), await newClient()]
    const code = await newCode(client.id)
    for (const secret of ['', 'wrong', `${client.secret} `, other.secret])
      await isRefused({ ...client, secret }, code)
    await isRefused({ ...client, id: 'unknown' }, code)
    expect((await exchange(client, code)).kind).toBe('goodExternalAuthToken')
    const lost = await newCode(client.id)
    await isRefused(other, lost)
    await isRefused(client, lost)
  })

  test('is not accepted in a modified form, and neither are other tokens', async () => {
    const client = await newClient()
    const code = await newCode(client.id)
    const { issueAuth, issueTeam } = contest.app.stores.tokens
    const wrong = [
      '',
      'x',
      `${code}=`,
      code.slice(1),
      code.toUpperCase(),
      issueAuth(team.id),
      issueTeam(team.id),
    ]
    for (const text of wrong) await isRefused(client, text)
    expect((await exchange(client, code)).kind).toBe('goodExternalAuthToken')
  })

  test('gives an invalid token if its team was deleted', async () => {
    const client = await newClient()
    const leaving = await contest.team()
    const code = await newCode(client.id, leaving)
    await removeTeam(contest, leaving.id)
    const { data } = await exchange(client, code)
    const { accessToken } = data as { accessToken: string }
    expect((await contest.call(testToken, { token: accessToken })).kind).toBe('badToken')
  })

  test('is deleted with its client; tokens already issued to the client stay valid', async () => {
    const client = await newClient()
    const { data } = await exchange(client, await newCode(client.id))
    const code = await newCode(client.id)
    const request = { token: admin.token, params: { id: client.id }, query: {} }
    expect((await contest.call(contract.deleteExternalAuthClient, request)).kind).toBe(
      'goodAdminExternalAuthClientDelete',
    )
    await isRefused(client, code)
    const { accessToken } = data as { accessToken: string }
    expect((await contest.call(testToken, { token: accessToken })).kind).toBe('goodToken')
    expect((await contest.call(contract.deleteExternalAuthClient, request)).kind).toBe(
      'badExternalAuthRequest',
    )
  })

  test('ends tokens with its client if an organiser says so', async () => {
    const [client, other] = [await newClient(), await newClient()]
    const [token, kept] = await Promise.all(
      [client, other].map(async (each) => {
        const { data } = await exchange(each, await newCode(each.id))
        return (data as { accessToken: string }).accessToken
      }),
    )
    const request = { token: admin.token, params: { id: client.id }, query: { tokens: 'end' } as const }
    await contest.call(contract.deleteExternalAuthClient, request)
    expect((await contest.call(testToken, { token: token ?? '' })).kind).toBe('badToken')
    expect((await contest.call(testToken, { token: kept ?? '' })).kind).toBe('goodToken')
  })

  test('requires all three fields, in JSON', async () => {
    for (const missing of ['clientId', 'clientSecret', 'code']) {
      const body = { clientId: 'a', clientSecret: 'b', code: 'c', [missing]: undefined }
      const { kind, data } = await contest.call(contract.exchangeExternalAuthCode, { body: body as never })
      expect([kind, (data as { reason: string }).reason.split(' ')[0]]).toEqual([
        'badBody',
        `body:${missing}:`,
      ])
    }
    const form = await fetch(`${contest.url}/api/v2/external-auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ clientId: 'a', clientSecret: 'b', code: 'c' }),
    })
    expect(await form.json()).toMatchObject({ kind: 'badJson' })
  })
})

describe('the clients of a deployment', () => {
  const list = ({ token }: Partial<Member>) => contest.call(contract.listExternalAuthClients, { token })

  test('are created with a secret that is shown once, and listed oldest first', async () => {
    const body = { name: 'Listed', redirectUri: 'HTTPS://Site.example:443/a/../b?x=%7e' }
    const made = await contest.call(contract.createExternalAuthClient, { token: admin.token, body })
    expect(made).toMatchObject({
      kind: 'goodAdminExternalAuthClientCreate',
      data: { ...body, createdBy: admin.id, createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
    })
    const { secret, ...client } = made.data as { secret: string; id: string }
    expect(secret).toMatch(/^[\w-]{43}$/)
    const { data } = await list(admin)
    const clients = data as unknown as { createdAt: string }[]
    expect(clients.at(-1)).toEqual(client)
    expect(clients.map(({ createdAt }) => createdAt)).toEqual(
      clients.map(({ createdAt }) => createdAt).toSorted(),
    )
    expect(JSON.stringify(clients)).not.toContain(secret)
    const rows = await contest.db.query(sql`select c::text from external_auth_clients c`)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(contest.logLines)).not.toContain(secret)
  })

  test('remain when the admin who created them is deleted', async () => {
    const leaving = await contest.admin()
    const { id } = await newClient(leaving)
    await removeTeam(contest, leaving.id)
    const { data } = await list(admin)
    expect(data).toContainEqual(expect.objectContaining({ id, createdBy: null }))
    const gone = await contest.admin()
    // Deleted directly in the database, so this process does not know yet.
    await contest.db.query(sql`delete from teams where id = ${gone.id}`)
    const { data: made } = await contest.call(contract.createExternalAuthClient, {
      token: gone.token,
      body: { name: 'Orphan', redirectUri },
    })
    expect(made).toMatchObject({ createdBy: null })
  })

  test('require usersWrite, before any other check', async () => {
    const others = await contest.admin(63 - permissions.usersWrite)
    const params = { id: 'unknown' }
    const body = { name: '' } as never
    for (const [kind, caller] of [
      ['badToken', {}],
      ['badPerms', team],
      ['badPerms', others],
    ] as const) {
      const token = 'token' in caller ? caller.token : undefined
      expect((await list(token ? { token } : {})).kind).toBe(kind)
      expect((await contest.call(contract.createExternalAuthClient, { token, body })).kind).toBe(kind)
      expect((await contest.call(contract.deleteExternalAuthClient, { token, params, query: {} })).kind).toBe(
        kind,
      )
    }
  })

  test.each([
    ['name', { name: '', redirectUri }],
    ['name', { name: 'x'.repeat(101), redirectUri }],
    ['name', { redirectUri }],
    ['redirectUri', { name: 'x' }],
    ['redirectUri', { name: 'x', redirectUri: 'javascript:alert(1)' }],
    ['redirectUri', { name: 'x', redirectUri: `${redirectUri}${'x'.repeat(1024)}` }],
  ])('require a valid %s: %#', async (field, body) => {
    const response = await contest.call(contract.createExternalAuthClient, {
      token: admin.token,
      body: body as never,
    })
    expect([response.kind, (response.data as { reason: string }).reason.split(' ')[0]]).toEqual([
      'badBody',
      `body:${field}:`,
    ])
  })

  test('and actions on them are audited without the secret', async () => {
    const { id, secret } = await newClient()
    await contest.call(contract.deleteExternalAuthClient, { token: admin.token, params: { id }, query: {} })
    await contest.call(contract.deleteExternalAuthClient, { token: admin.token, params: { id }, query: {} })
    const rows = await contest.db.query(sql`
      select actor_id, action, target, keys from admin_actions where target = ${id} order by id`)
    expect(rows).toEqual([
      {
        actor_id: admin.id,
        action: 'external-auth-client.create',
        target: id,
        keys: ['name', 'redirectUri', 'kind'],
      },
      { actor_id: admin.id, action: 'external-auth-client.delete', target: id, keys: [] },
    ])
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})
