import {
  askVerifyInfo,
  login,
  recoverV1,
  recoverV2,
  registerV2,
  testToken,
  verifyV2,
} from '@pennant/contract/accounts.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { changeTeam, removeTeam } from '../../../../test/team-rows.ts'
import { settleOutbox, tokenMailedTo, withMail } from '../../../../test/mail.ts'

let contest: Contest
beforeAll(async () => {
  contest = await startContest({ config: withMail })
})
afterAll(() => contest[Symbol.asyncDispose]())

const emailOf = (id: string) => contest.world().team(id)?.email ?? ''

function recoverVia(version: 'v1' | 'v2', body: { email: string; code?: string }, on = contest) {
  const { email, code } = body
  return version === 'v1'
    ? on.call(recoverV1, { body: { email, ...(code ? { legacyCaptchaCode: code } : {}) } })
    : on.call(recoverV2, { body: { email, ...(code ? { captchaCode: code } : {}) } })
}

describe.each(['v1', 'v2'] as const)('recovery in %s', (version) => {
  test('mails a link that signs the team in, even if it is banned', async () => {
    const { id } = await contest.team()
    await changeTeam(contest, id, sql`banned = ${version === 'v1'}`)
    expect((await recoverVia(version, { email: emailOf(id).toUpperCase() })).kind).toBe('goodVerifySent')
    const token = await tokenMailedTo(contest, emailOf(id), 'Recover your account')
    const response = await contest.call(verifyV2, { body: { verifyToken: token } })
    expect(response.kind).toBe('goodVerify')
    const { authToken } = response.data as { authToken: string }
    expect((await contest.call(testToken, { token: authToken })).kind).toBe('goodToken')
  })

  test('responds identically for an unknown address and sends no mail', async () => {
    const before = contest.mails.length
    expect((await recoverVia(version, { email: 'nobody@example.org' })).kind).toBe('goodVerifySent')
    await settleOutbox(contest)
    expect(contest.mails).toHaveLength(before)
  })

  test('refuses a malformed address', async () => {
    expect((await recoverVia(version, { email: 'nobody' })).kind).toBe('badEmail')
    expect((await recoverVia(version, { email: 7 as never })).kind).toBe('badBody')
  })

  test('does not exist without mail', async () => {
    await using silent = await startContest()
    expect((await recoverVia(version, { email: 'a@example.org' }, silent)).kind).toBe('badEndpoint')
  })

  test('requires a captcha and applies a stricter limit if configured', async () => {
    const provider = { name: 'captcha/static', options: { code: 'right' } }
    const captcha = { provider, protectedEndpoints: ['recover'] }
    await using strict = await startContest({ config: { ...withMail, captcha, rateLimits: {} } })
    const body = { email: 'a@example.org', code: 'right' }
    const refusal = version === 'v1' ? 'badLegacyCaptchaCode' : 'badCaptcha'
    expect((await recoverVia(version, { ...body, code: 'wrong' }, strict)).kind).toBe(refusal)
    expect((await recoverVia(version, body, strict)).kind).toBe('goodVerifySent')
    expect((await recoverVia(version, body, strict)).kind).toBe('goodVerifySent')
    expect((await recoverVia(version, body, strict)).kind).toBe('badRateLimit')
    strict.clock.advance(HOUR_MS)
    expect((await recoverVia(version, body, strict)).kind).toBe('goodVerifySent')
  })
})

describe('login', () => {
  const { issueTeam, issueAuth, issueHandoff } = {
    issueTeam: (id: string) => contest.app.stores.tokens.issueTeam(id),
    issueAuth: (id: string) => contest.app.stores.tokens.issueAuth(id),
    issueHandoff: (extrankId: string) =>
      contest.app.stores.tokens.issueHandoff({ name: 'From Afar', extrankId }),
  }
  const signIn = (body: { teamToken?: string; extrankToken?: string }) => contest.call(login, { body })

  test('accepts a team token', async () => {
    const { id } = await contest.team()
    const response = await signIn({ teamToken: issueTeam(id) })
    expect(response.kind).toBe('goodLogin')
    const { authToken } = response.data as { authToken: string }
    expect((await contest.call(testToken, { token: authToken })).kind).toBe('goodToken')
  })

  test('ignores white space inside a token, and nothing else', async () => {
    const { id } = await contest.team()
    const token = issueTeam(id)
    const half = Math.floor(token.length / 2)
    const joined = (between: string) => `\t${token.slice(0, half)}${between}${token.slice(half)}\r\n`
    for (const between of [' ', '\r\n    ', '\u00A0', '\u2028']) {
      const teamToken = joined(between)
      expect((await signIn({ teamToken })).kind).toBe('goodLogin')
      expect((await contest.call(verifyV2, { body: { verifyToken: teamToken } })).kind).toBe('goodVerify')
      expect((await contest.call(askVerifyInfo, { body: { token: teamToken } })).kind).toBe('goodVerifyInfo')
    }
    for (const between of ['>', '"', '\u200B', '%20'])
      expect((await signIn({ teamToken: joined(between) })).kind).toBe('badTokenVerification')
    expect((await signIn({ teamToken: ' \n' })).kind).toBe('badBody')
  })

  test('accepts a token from the ranking site and prefers it to a team token', async () => {
    const { id } = await contest.team()
    await changeTeam(contest, id, sql`extrank_id = '77'`)
    const extrankToken = issueHandoff('77')
    expect((await signIn({ extrankToken, teamToken: 'ignored' })).kind).toBe('goodLogin')
    expect((await signIn({ extrankToken: issueHandoff('78') })).kind).toBe('badUnknownUser')
    contest.clock.advance(2 * HOUR_MS)
    expect((await signIn({ extrankToken })).kind).toBe('badExtrankToken')
  })

  test('refuses every other token', async () => {
    const { id } = await contest.team()
    expect((await signIn({ teamToken: issueAuth(id) })).kind).toBe('badTokenVerification')
    expect((await signIn({ teamToken: 'garbage' })).kind).toBe('badTokenVerification')
    expect((await signIn({ extrankToken: issueTeam(id) })).kind).toBe('badExtrankToken')
    expect((await signIn({ teamToken: issueTeam('nobody') })).kind).toBe('badUnknownUser')
  })

  test('requires one of the two tokens', async () => {
    for (const body of [{}, { teamToken: '' }, { teamToken: '', extrankToken: '' }]) {
      expect(await signIn(body)).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:teamToken: /) },
      })
    }
  })
})

describe('an auth token', () => {
  test('must be a valid auth token of an existing team', async () => {
    const { id, token } = await contest.team()
    expect((await contest.call(testToken, { token })).kind).toBe('goodToken')
    for (const wrong of [undefined, 'garbage', contest.app.stores.tokens.issueTeam(id)]) {
      expect((await contest.call(testToken, { token: wrong })).kind).toBe('badToken')
    }
    await removeTeam(contest, id)
    expect((await contest.call(testToken, { token })).kind).toBe('badToken')
  })

  test('of a team created by another process is accepted immediately', async () => {
    await using replica = await startContest({ beside: contest, config: {} })
    const body = { name: 'made over there', email: 'over-there@example.org' }
    const response = await replica.call(registerV2, { body })
    const { authToken, teamToken } = response.data as { authToken: string; teamToken: string }
    expect((await contest.call(testToken, { token: authToken })).kind).toBe('goodToken')
    expect((await contest.call(login, { body: { teamToken } })).kind).toBe('goodLogin')
  })
})
