import * as accounts from '@pennant/contract/accounts.ts'
import { createExternalAuthClient, exchangeExternalAuthCode } from '@pennant/contract/external-auth.ts'
import { setExtrank } from '@pennant/contract/extrank.ts'
import { setEmailV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { siteClient } from '../../../../test/ranking-site.ts'

// Tries each kind of token at each endpoint that takes one. It is accepted only where intended, and a refusal
// does not use it up.

type Kind = 'auth' | 'external' | 'team' | 'register' | 'update' | 'handoff'
const kinds: readonly Kind[] = ['auth', 'external', 'team', 'register', 'update', 'handoff']

let contest: Contest
let team: Member
let client: { id: string; secret: string }
let tokens: Readonly<Record<Kind, string>>

beforeAll(async () => {
  contest = await startContest({ config: { ...withMail, extrank: siteClient } })
  team = await contest.team()
  const admin = await contest.admin()
  const body = { name: 'Site', redirectUri: 'https://site.example/' }
  const made = await contest.call(createExternalAuthClient, { token: admin.token, body })
  client = made.data as typeof client
  tokens = await freshTokens()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function freshTokens(): Promise<Record<Kind, string>> {
  const { issueExternal, issueTeam, issueHandoff } = contest.app.stores.tokens
  await contest.call(accounts.registerV2, { body: { name: 'Pending', email: 'pending@example.org' } })
  await contest.call(setEmailV2, { token: team.token, body: { email: 'moved@example.org' } })
  return {
    auth: team.token,
    external: issueExternal(team.id, contest.clock.now()),
    team: issueTeam(team.id),
    register: await tokenMailedTo(contest, 'pending@example.org'),
    update: await tokenMailedTo(contest, 'moved@example.org'),
    handoff: issueHandoff({ name: 'From Afar', extrankId: 'afar' }),
  }
}

interface Place {
  readonly takes: readonly Kind[]
  readonly refusal: string
  readonly ask: (token: string) => Promise<{ readonly kind: string }>
}

const places: Readonly<Record<string, Place>> = {
  'the bearer of a request': {
    takes: ['auth', 'external'],
    refusal: 'badToken',
    ask: (token) => contest.call(accounts.testToken, { token }),
  },
  'a profile, as a bearer': {
    takes: ['auth', 'external'],
    refusal: 'badToken',
    ask: (token) => contest.call(updateProfileV2, { token, body: { statusText: 'x' } }),
  },
  'login with a team token': {
    takes: ['team'],
    refusal: 'badTokenVerification',
    ask: (teamToken) => contest.call(accounts.login, { body: { teamToken } }),
  },
  'login with the ranking site': {
    takes: ['handoff'],
    refusal: 'badExtrankToken',
    ask: (extrankToken) => contest.call(accounts.login, { body: { extrankToken } }),
  },
  'registration in v1': {
    takes: ['handoff'],
    refusal: 'badExtrankToken',
    ask: (extrankToken) => contest.call(accounts.registerV1, { body: { name: 'New V1', extrankToken } }),
  },
  'registration in v2': {
    takes: ['handoff'],
    refusal: 'badExtrankToken',
    ask: (extrankToken) => contest.call(accounts.registerV2, { body: { name: 'New V2', extrankToken } }),
  },
  'linking the ranking site': {
    takes: ['handoff'],
    refusal: 'badExtrankToken',
    ask: (extrankToken) => contest.call(setExtrank, { token: team.token, body: { extrankToken } }),
  },
  'telling what a mail would do': {
    takes: ['team', 'register', 'update'],
    refusal: 'badTokenVerification',
    ask: (token) => contest.call(accounts.readVerifyInfo, { query: { token } }),
  },
  'asking what a mail would do': {
    takes: ['team', 'register', 'update'],
    refusal: 'badTokenVerification',
    ask: (token) => contest.call(accounts.askVerifyInfo, { body: { token } }),
  },
  'verify in v1': {
    takes: ['team', 'register', 'update'],
    refusal: 'badTokenVerification',
    ask: (verifyToken) => contest.call(accounts.verifyV1, { body: { verifyToken } }),
  },
  'verify in v2': {
    takes: ['team', 'register', 'update'],
    refusal: 'badTokenVerification',
    ask: (verifyToken) => contest.call(accounts.verifyV2, { body: { verifyToken } }),
  },
  'the code of an external site': {
    takes: [],
    refusal: 'badExternalAuthRequest',
    ask: (code) =>
      contest.call(exchangeExternalAuthCode, {
        body: { clientId: client.id, clientSecret: client.secret, code },
      }),
  },
}

describe.each(Object.entries(places))('%s', (_name, { takes, refusal, ask }) => {
  test.each(kinds.filter((kind) => !takes.includes(kind)))('rejects a %s token', async (kind) => {
    expect((await ask(tokens[kind])).kind).toBe(refusal)
  })
})

test('afterwards each token is still accepted where it belongs', async () => {
  const { ask: verify } = places['verify in v2'] as Place
  const used = [
    (await verify(tokens.register)).kind,
    (await verify(tokens.update)).kind,
    (await verify(tokens.team)).kind,
    (await contest.call(accounts.testToken, { token: tokens.auth })).kind,
    (await contest.call(accounts.testToken, { token: tokens.external })).kind,
    (await contest.call(setExtrank, { token: team.token, body: { extrankToken: tokens.handoff } })).kind,
  ]
  expect(used).toEqual([
    'goodRegisterV2',
    'goodEmailSet',
    'goodVerify',
    'goodToken',
    'goodToken',
    'goodExtrankAuthSet',
  ])
  // Emailed tokens are single-use.
  for (const kind of ['register', 'update'] as const) {
    expect((await verify(tokens[kind])).kind).toBe('badTokenVerification')
  }
})
