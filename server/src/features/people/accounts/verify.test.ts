import {
  askVerifyInfo,
  login,
  readVerifyInfo,
  registerV2,
  testToken,
  verifyV1,
  verifyV2,
} from '@pennant/contract/accounts.ts'
import { setEmailV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { changeTeam, removeTeam } from '../../../../test/team-rows.ts'
import { tokenMailedTo, withMail } from '../../../../test/mail.ts'

let contest: Contest
beforeAll(async () => {
  const divisions = { open: 'Open', uni: 'University' }
  const divisionACLs = [
    { match: 'domain', value: 'uni.edu', divisions: ['uni'] },
    { match: 'regex', value: 'example', divisions: ['open', 'uni'] },
  ]
  contest = await startContest({ config: { ...withMail, divisions, divisionACLs } })
})
afterAll(() => contest[Symbol.asyncDispose]())

let serial = 0
async function registered(name?: string): Promise<{ email: string; name: string; token: string }> {
  serial += 1
  const body = { name: name ?? `pending ${serial}`, email: `pending-${serial}@example.org` }
  expect((await contest.call(registerV2, { body })).kind).toBe('goodVerifySent')
  return { ...body, token: await tokenMailedTo(contest, body.email) }
}

/** A team and the emailed token that changes its address. */
async function changing(email?: string) {
  serial += 1
  const team = await contest.team(`changing ${serial}`)
  const wanted = email ?? `changed-${serial}@example.org`
  const response = await contest.call(setEmailV2, { token: team.token, body: { email: wanted } })
  expect(response.kind).toBe('goodVerifySent')
  return { ...team, email: wanted, token: await tokenMailedTo(contest, wanted, 'Update your email') }
}

const { issueTeam, issueAuth, issueHandoff } = {
  issueTeam: (id: string) => contest.app.stores.tokens.issueTeam(id),
  issueAuth: (id: string) => contest.app.stores.tokens.issueAuth(id),
  issueHandoff: () => contest.app.stores.tokens.issueHandoff({ name: 'n', extrankId: '1' }),
}

describe.each(['v1', 'v2'] as const)('verify in %s', (version) => {
  const verify = (verifyToken: string) =>
    version === 'v1'
      ? contest.call(verifyV1, { body: { verifyToken } })
      : contest.call(verifyV2, { body: { verifyToken } })
  const created = version === 'v1' ? 'goodRegister' : 'goodRegisterV2'

  test('completes a registration once', async () => {
    const { email, name, token } = await registered()
    const response = await verify(token)
    expect(response.kind).toBe(created)
    const data = response.data as { authToken: string; teamToken?: string }
    expect((await contest.call(testToken, { token: data.authToken })).kind).toBe('goodToken')
    expect(data.teamToken === undefined).toBe(version === 'v1')
    expect(contest.world().findTeamByEmail(email)).toMatchObject({ name, division: 'open', perms: 0 })
    expect((await verify(token)).kind).toBe('badTokenVerification')
  })

  test('completes a registration once for many concurrent requests', async () => {
    const { token } = await registered()
    const responses = await Promise.all(Array.from({ length: 16 }, () => verify(token)))
    expect(responses.filter(({ kind }) => kind === created)).toHaveLength(1)
    expect(responses.filter(({ kind }) => kind === 'badTokenVerification')).toHaveLength(15)
  })

  test('refuses a name or address that was taken in the meantime, and consumes the link', async () => {
    const [first, second] = [await registered(`wanted ${version}`), await registered(`WANTED ${version}`)]
    expect((await verify(second.token)).kind).toBe(created)
    expect((await verify(first.token)).kind).toBe('badKnownName')
    expect((await verify(first.token)).kind).toBe('badTokenVerification')
    const third = await registered()
    const { id } = await contest.team()
    await changeTeam(contest, id, sql`email = ${third.email}`)
    expect((await verify(third.token)).kind).toBe('badKnownEmail')
  })

  test('refuses the link of a registration that a newer one replaced', async () => {
    const old = await registered()
    const body = { name: 'newer name', email: old.email }
    await contest.call(registerV2, { body })
    expect((await verify(old.token)).kind).toBe('badTokenVerification')
  })

  test('signs a team in with its team token any number of times', async () => {
    const { id } = await contest.team()
    for (let times = 0; times < 2; times++) expect((await verify(issueTeam(id))).kind).toBe('goodVerify')
    expect((await verify(issueTeam('nobody'))).kind).toBe('badUnknownUser')
  })

  test('changes the address once', async () => {
    const { id, email, token } = await changing()
    expect((await verify(token)).kind).toBe('goodEmailSet')
    expect(contest.world().team(id)?.email).toBe(email)
    expect((await verify(token)).kind).toBe('badTokenVerification')
  })

  test('does not change the address if it was taken, the division does not allow it or the team was deleted', async () => {
    const taken = await changing()
    const { id } = await contest.team()
    await changeTeam(contest, id, sql`email = ${taken.email}`)
    expect((await verify(taken.token)).kind).toBe('badKnownEmail')
    expect((await verify(taken.token)).kind).toBe('badTokenVerification')

    const moved = await changing()
    await changeTeam(contest, moved.id, sql`division = 'elsewhere'`)
    expect((await verify(moved.token)).kind).toBe('badEmailChangeDivision')

    const left = await changing()
    await removeTeam(contest, left.id)
    expect((await verify(left.token)).kind).toBe('badUnknownUser')
  })

  test('refuses every other token', async () => {
    const { id } = await contest.team()
    for (const token of ['', 'garbage', issueAuth(id), issueHandoff()]) {
      expect((await verify(token)).kind).toBe('badTokenVerification')
    }
    expect((await verify(7 as never)).kind).toBe('badBody')
  })

  test('works for a banned team', async () => {
    const { id } = await contest.team()
    await changeTeam(contest, id, sql`banned = true`)
    expect((await verify(issueTeam(id))).kind).toBe('goodVerify')
    expect((await contest.call(login, { body: { teamToken: issueTeam(id) } })).kind).toBe('goodLogin')
  })
})

describe.each(['GET', 'POST'] as const)('verify-info by %s', (method) => {
  const info = (token: string) =>
    method === 'GET'
      ? contest.call(readVerifyInfo, { query: { token } })
      : contest.call(askVerifyInfo, { body: { token } })

  test('describes a registration without using up its link', async () => {
    const { email, name, token } = await registered()
    for (let times = 0; times < 3; times++) {
      expect(await info(token)).toMatchObject({ data: { kind: 'register', email, name } })
    }
    expect((await contest.call(verifyV2, { body: { verifyToken: token } })).kind).toBe('goodRegisterV2')
    expect((await info(token)).kind).toBe('badTokenVerification')
  })

  test('describes a new address, with the team name while the team exists', async () => {
    const { id, email, token } = await changing()
    const { name } = contest.world().team(id) ?? {}
    expect((await info(token)).data).toEqual({ kind: 'update', email, name })
    await removeTeam(contest, id)
    expect((await info(token)).data).toEqual({ kind: 'update', email })
  })

  test('describes a team token', async () => {
    const name = `informed by ${method}`
    const { id } = await contest.team(name)
    expect((await info(issueTeam(id))).data).toEqual({ kind: 'team', email: null, name })
    expect((await info(issueTeam('nobody'))).data).toEqual({ kind: 'team', email: null })
  })

  test('refuses other tokens and requires one', async () => {
    expect((await info(issueAuth('x'))).kind).toBe('badTokenVerification')
    const empty =
      method === 'GET'
        ? await contest.call(readVerifyInfo, { query: {} as never })
        : await contest.call(askVerifyInfo, { body: {} as never })
    expect(empty).toMatchObject({
      kind: 'badBody',
      data: { reason: expect.stringMatching(/^(?:query|body):token: /) },
    })
  })
})

test('links expire', async () => {
  await using later = await startContest({ config: { ...withMail, loginTimeout: HOUR_MS } })
  const body = { name: 'too late', email: 'late@example.org' }
  await later.call(registerV2, { body })
  const token = await tokenMailedTo(later, body.email)
  later.clock.advance(HOUR_MS + 1000)
  expect((await later.call(readVerifyInfo, { query: { token } })).kind).toBe('badTokenVerification')
  expect((await later.call(verifyV2, { body: { verifyToken: token } })).kind).toBe('badTokenVerification')
})
