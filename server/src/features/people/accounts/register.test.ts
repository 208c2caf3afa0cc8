import { registerV1, registerV2, testToken } from '@pennant/contract/accounts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { settleOutbox, tokenMailedTo, withMail } from '../../../../test/mail.ts'

type Body = Parameters<typeof registerVia>[2]

/**
 * Registers through the given API version. They differ in the captcha field and in the response to a created
 * team.
 */
async function registerVia(
  contest: Contest,
  version: 'v1' | 'v2',
  body: { email?: string; name: string; extrankToken?: string; code?: string },
) {
  const { code, ...fields } = body
  return version === 'v1'
    ? await contest.call(registerV1, { body: { ...fields, ...(code ? { legacyCaptchaCode: code } : {}) } })
    : await contest.call(registerV2, { body: { ...fields, ...(code ? { captchaCode: code } : {}) } })
}

let serial = 0
function fresh(more: Partial<Body> = {}): Body {
  serial += 1
  return { name: `fresh ${serial}`, email: `fresh-${serial}@example.org`, ...more }
}

const extrank = { clientId: '1', clientSecret: 's' }

describe.each(['v1', 'v2'] as const)('registration in %s', (version) => {
  describe('without mail', () => {
    let contest: Contest
    const register = (body: Body) => registerVia(contest, version, body)
    beforeAll(async () => {
      contest = await startContest({ config: { extrank } })
    })
    afterAll(() => contest[Symbol.asyncDispose]())
    const handoff = (extrankId: string) =>
      contest.app.stores.tokens.issueHandoff({ name: 'From Afar', extrankId })

    test('creates the team and signs it in immediately', async () => {
      const response = await register(fresh())
      expect(response.kind).toBe(version === 'v1' ? 'goodRegister' : 'goodRegisterV2')
      const { authToken } = response.data as { authToken: string }
      expect((await contest.call(testToken, { token: authToken })).kind).toBe('goodToken')
    })

    test('trims the name and lowercases the address', async () => {
      await register({ name: '  Padded Name  ', email: ' MiXeD@Example.ORG ' })
      expect(contest.world().findTeamByEmail('mixed@example.org')?.name).toBe('Padded Name')
    })

    test('refuses each malformed field with its own kind', async () => {
      expect((await register(fresh({ email: 'nobody' }))).kind).toBe('badEmail')
      expect((await register(fresh({ name: 'x' }))).kind).toBe('badName')
      expect((await register(fresh({ name: 'naïve' }))).kind).toBe('badName')
      expect(await register(fresh({ name: 7 as never }))).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:name: /) },
      })
    })

    test('requires an address or a token from the ranking site', async () => {
      for (const body of [{ name: 'nobody' }, { name: 'nobody', extrankToken: '' }]) {
        expect(await register(body)).toMatchObject({
          kind: 'badBody',
          data: { reason: expect.stringMatching(/^body:email: /) },
        })
      }
    })

    test('refuses a name or address that a team already has, reporting the name first', async () => {
      const taken = fresh()
      await register(taken)
      expect((await register(fresh({ name: taken.name.toUpperCase() }))).kind).toBe('badKnownName')
      expect((await register({ ...taken, name: `${taken.name} b` })).kind).toBe('badKnownEmail')
      expect((await register(taken)).kind).toBe('badKnownName')
    })

    test('64 concurrent registrations with one name create one team', async () => {
      const name = `rush ${version}`
      const responses = await Promise.all(
        Array.from({ length: 64 }, (_, at) => register({ name, email: `rush-${version}-${at}@example.org` })),
      )
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(responses.filter(({ kind }) => kind === 'badKnownName')).toHaveLength(63)
    })

    test('accepts a team from the ranking site, with or without an address', async () => {
      const extrankId = `alone-${version}`
      const alone = { name: `alone ${version}`, extrankToken: handoff(extrankId) }
      expect((await register(alone)).status).toBe(200)
      expect(contest.world().findTeamByExtrankId(extrankId)).toMatchObject({ email: null, division: 'open' })
      const both = fresh({ extrankToken: handoff(`both-${version}`) })
      expect((await register(both)).status).toBe(200)
      expect(contest.world().findTeamByExtrankId(`both-${version}`)).toMatchObject({ email: both.email })
      expect((await register({ ...alone, name: 'another' })).kind).toBe('badKnownExtrankId')
    })

    test('refuses a token that was not issued for the ranking site', async () => {
      expect((await register({ name: 'forged', extrankToken: 'forged' })).kind).toBe('badExtrankToken')
    })
  })

  describe('with mail', () => {
    let contest: Contest
    const register = (body: Body) => registerVia(contest, version, body)
    beforeAll(async () => {
      const divisions = { open: 'Open', uni: 'University' }
      const divisionACLs = [
        { match: 'domain', value: 'Uni.edu', divisions: ['uni'] },
        { match: 'regex', value: 'example', divisions: ['open'] },
      ]
      contest = await startContest({ config: { ...withMail, divisions, divisionACLs } })
    })
    afterAll(() => contest[Symbol.asyncDispose]())

    test('sends a link and does not create a team yet', async () => {
      const body = fresh()
      expect((await register(body)).kind).toBe('goodVerifySent')
      expect(contest.world().findTeamByEmail(body.email ?? '')).toBeUndefined()
      expect(await tokenMailedTo(contest, body.email ?? '', 'Verify your email')).not.toBe('')
    })

    test('refuses names and addresses that are taken before sending a mail', async () => {
      const { id } = await contest.team(`known ${version}`)
      const email = contest.world().team(id)?.email ?? ''
      await settleOutbox(contest)
      const before = contest.mails.length
      expect((await register(fresh({ name: `KNOWN ${version}` }))).kind).toBe('badKnownName')
      expect((await register(fresh({ email }))).kind).toBe('badKnownEmail')
      const response = await register(fresh({ name: `known ${version}`, email: 'somebody@example.org' }))
      expect(response.kind).toBe('badKnownName')
      await settleOutbox(contest)
      expect(contest.mails).toHaveLength(before)
    })

    test('refuses an address that no division allows', async () => {
      expect((await register(fresh({ email: 'a@elsewhere.net' }))).kind).toBe('badCompetitionNotAllowed')
      expect((await register(fresh({ email: `a-${version}@uni.edu` }))).kind).toBe('goodVerifySent')
    })

    test('is not possible with the ranking site if it is not configured', async () => {
      expect((await register(fresh({ extrankToken: 'x' }))).kind).toBe('badEndpoint')
      expect((await register(fresh({ extrankToken: '' }))).kind).toBe('goodVerifySent')
    })
  })

  test('is refused while registrations are closed', async () => {
    await using contest = await startContest({ config: { registrationsEnabled: false } })
    expect((await registerVia(contest, version, fresh())).kind).toBe('badRegistrationsDisabled')
  })

  test('requires a captcha if configured', async () => {
    const provider = { name: 'captcha/static', options: { code: 'right' } }
    const captcha = { provider, protectedEndpoints: ['register'] }
    await using contest = await startContest({ config: { captcha } })
    const refusal = version === 'v1' ? 'badLegacyCaptchaCode' : 'badCaptcha'
    expect((await registerVia(contest, version, fresh({ code: 'wrong' }))).kind).toBe(refusal)
    expect((await registerVia(contest, version, fresh())).kind).toBe(refusal)
    // A malformed body is reported before the captcha is checked.
    expect((await registerVia(contest, version, fresh({ email: 'no', code: 'wrong' }))).kind).toBe('badEmail')
    expect((await registerVia(contest, version, fresh({ code: 'right' }))).status).toBe(200)
  })

  test('is rate-limited per address if configured, after the duplicate check', async () => {
    await using contest = await startContest({ config: { ...withMail, rateLimits: {} } })
    await contest.team('known team')
    const body = fresh()
    expect((await registerVia(contest, version, body)).kind).toBe('goodVerifySent')
    expect((await registerVia(contest, version, body)).kind).toBe('goodVerifySent')
    expect(await registerVia(contest, version, body)).toMatchObject({
      kind: 'badRateLimit',
      data: { timeLeft: expect.any(Number) },
    })
    expect((await registerVia(contest, version, { ...body, name: 'known team' })).kind).toBe('badKnownName')
    expect((await registerVia(contest, version, fresh())).kind).toBe('goodVerifySent')
  })
})
