import { randomUUID } from 'node:crypto'
import * as accounts from '@pennant/contract/accounts.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createTeamToken } from '@pennant/contract/admin-teams.ts'
import * as external from '@pennant/contract/external-auth.ts'
import { exchangeExtrankCode } from '@pennant/contract/extrank.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { createMember, setEmailV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putSettings } from '../contest-data.ts'
import { fullDeployment, humanCode, type Deployment } from '../fuzz/deployments.ts'
import { textOfLog } from '../fuzz/verdict.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { settleOutbox, tokenIn } from '../mail.ts'
import { pushRaw } from '../pushes.ts'

// Class S13 (README.md): the log contains no issued, received or configured secret, also not when something
// fails.

const FLAG = `flag{${randomUUID()}}`
const WRONG_FLAG = `flag{${randomUUID()}}`
const WEBHOOK_SECRET = randomUUID()
/** All secrets; each is too long to occur in the log by chance. */
const secrets = new Set([FLAG, WRONG_FLAG, WEBHOOK_SECRET])

let deployment: Deployment
let contest: Contest
let admin: Member
let team: Member
let client: { readonly id: string; readonly secret: string }

beforeAll(async () => {
  deployment = await fullDeployment()
  contest = await startContest({ config: deployment.config })
  admin = await contest.admin()
  team = await contest.team()
  const flags = [{ config: { flag: FLAG } }, { provider: 'flags/dynamic', config: { base: FLAG } }]
  await put('static', { flags })
  await put('dynamic', { scoring: { kind: 'dynamic', source: { secret: WEBHOOK_SECRET } } })
  const body = { name: 'Wiki', redirectUri: 'https://wiki.example/' }
  const made = await contest.call(external.createExternalAuthClient, { token: admin.token, body })
  client = made.data as typeof client
  for (const text of [admin.token, team.token, client.secret, ...deployment.secrets]) secrets.add(text)
  secrets.add(Buffer.alloc(32, 7).toString('base64'))
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await deployment[Symbol.asyncDispose]()
})

function put(id: string, data: object) {
  return contest.call(putChallengeV2, { token: admin.token, params: { id }, body: { data } })
}

let serial = 0

/** Uses everything that handles a secret, with valid and invalid values, and collects returned secrets. */
async function useAll(): Promise<void> {
  const { call, clock, app } = contest
  const email = `secret-${++serial}@example.org`
  const { issueTeam, issueHandoff } = app.stores.tokens
  const [teamToken, handoff, foreign] = [
    issueTeam(team.id),
    issueHandoff({ name: 'n', extrankId: '1' }),
    randomUUID(),
  ]
  for (const text of [email, teamToken, handoff, foreign]) secrets.add(text)
  clock.advance(60_000)
  const { token } = team
  const responses = [
    await call(accounts.registerV2, { body: { name: `secret ${serial}`, email } }),
    await call(accounts.recoverV2, { body: { email, captchaCode: humanCode } }),
    await call(accounts.verifyV2, { body: { verifyToken: teamToken } }),
    await call(accounts.verifyV2, { body: { verifyToken: foreign } }),
    await call(accounts.login, { body: { teamToken } }),
    await call(accounts.login, { body: { extrankToken: handoff } }),
    await call(accounts.readVerifyInfo, { query: { token: foreign } }),
    await call(accounts.askVerifyInfo, { body: { token: foreign } }),
    await call(accounts.testToken, { token: foreign }),
    await call(setEmailV2, { token, body: { email } }),
    await call(createMember, { token, body: { email } }),
    await call(updateProfileV2, { token, body: { name: `changed ${serial}` } }),
    await call(submitFlag, { token, params: { id: 'static' }, body: { flag: WRONG_FLAG } }),
    await call(submitFlag, { token, params: { id: 'static' }, body: { flag: FLAG } }),
    await call(exchangeExtrankCode, { body: { extrankCode: foreign } }),
    await call(createTeamToken, { token: admin.token, params: { id: team.id } }),
    await call(external.authorizeExternalAuth, {
      token,
      body: { clientId: client.id, redirectUri: 'https://wiki.example/' },
    }),
    await call(external.exchangeExternalAuthCode, {
      body: { clientId: client.id, clientSecret: client.secret, code: foreign },
    }),
    await put('static', { flags: [{ config: { flag: FLAG } }] }),
    await pushRaw(contest, 'dynamic', { body: '{"scores":[]}', signature: `sha256=${'0'.repeat(64)}` }),
  ]
  for (const { data } of responses) collect(data)
}

/** Collects the values of a response whose names indicate secrets. */
function collect(data: unknown): void {
  for (const [name, value] of Object.entries((data ?? {}) as object)) {
    if (/token|secret/i.test(name) && typeof value === 'string' && value.length > 20) secrets.add(value)
    if (name === 'redirectTo') secrets.add(new URL(String(value)).searchParams.get('code') ?? '')
  }
}

function expectSilence(): void {
  const text = textOfLog(contest.logLines)
  const leaked = [...secrets].filter((secret) => secret !== '' && text.includes(secret))
  expect(leaked).toEqual([])
}

test('the log of successful and refused requests contains no secret', async () => {
  await useAll()
  await useAll()
  await settleOutbox(contest)
  for (const { text } of contest.mails) {
    secrets.add(tokenIn(text))
  }
  expect(contest.mails.length).toBeGreaterThan(0)
  expect(secrets.size).toBeGreaterThan(15)
  expectSilence()
})

test('the log of failures has their causes and no secret', async () => {
  await putSettings(contest.db, {})
  const before = contest.logLines.length
  await contest.db.close()
  await useAll()
  expect(contest.logLines.length).toBeGreaterThan(before)
  expectSilence()
})
