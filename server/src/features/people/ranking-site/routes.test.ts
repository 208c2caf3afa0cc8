import { login, registerV1, registerV2, testToken, verifyV1, verifyV2 } from '@pennant/contract/accounts.ts'
import { exchangeExtrankCode, removeExtrank, setExtrank } from '@pennant/contract/extrank.ts'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { withMail } from '../../../../test/mail.ts'
import { siteClient, startFakeRankingSite, type FakeRankingSite } from '../../../../test/ranking-site.ts'
import { changeTeam } from '../../../../test/team-rows.ts'

let site: FakeRankingSite
let contest: Contest

beforeAll(async () => {
  site = await startFakeRankingSite()
  const { tokenUrl, userUrl } = site
  // An unquoted id in a configuration file is parsed as a number.
  contest = await startContest({ config: { extrank: { ...siteClient, tokenUrl, userUrl } } })
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
beforeEach(() => site.responses.clear())

const exchange = (extrankCode: string) => contest.call(exchangeExtrankCode, { body: { extrankCode } })

let codes = 0
/** Signs in at the ranking site and returns the handoff token. */
async function handoff(id: number | string, name = 'From Afar'): Promise<string> {
  const code = `code ${(codes += 1)}`
  site.teams.set(code, { id, name })
  const { data } = await exchange(code)
  return (data as { extrankToken: string }).extrankToken
}

const link = ({ token }: Partial<Member>, extrankToken: string) =>
  contest.call(setExtrank, { token, body: { extrankToken } })
const unlink = ({ token }: Partial<Member>) => contest.call(removeExtrank, { token })
const extrankIdOf = ({ id }: Member) => contest.world().team(id)?.extrankId

describe('the callback', () => {
  test('returns the token, the name and the id as text for a code', async () => {
    site.teams.set('right', { id: 77, name: 'Ants' })
    const response = await exchange('right')
    expect(response).toMatchObject({
      kind: 'goodExtrankToken',
      data: { extrankName: 'Ants', extrankId: '77' },
    })
    const { extrankToken } = response.data as { extrankToken: string }
    expect(contest.app.stores.tokens.open(extrankToken, ['handoff'])).toMatchObject({
      name: 'Ants',
      extrankId: '77',
    })
  })

  test('refuses a code that the site refuses, and one whose user has no team', async () => {
    site.teams.set('lone', null)
    for (const code of ['wrong', 'lone', '']) expect((await exchange(code)).kind).toBe('badExtrankCode')
  })

  test('fails if the site fails, and logs no secret', async () => {
    site.teams.set('right', { id: 77, name: 'Ants' })
    for (const [path, body] of [
      ['/token', '{"access_token":"top secret\\n"}'],
      ['/token', 'top secret'],
      ['/user', '{"team":{"top secret":1}}'],
    ] as const) {
      site.responses.set(path, { body })
      expect((await exchange('right')).kind).toBe('errorInternal')
      site.responses.clear()
    }
    site.responses.set('/token', { status: 500, body: '' })
    expect((await exchange('right')).kind).toBe('errorInternal')
    // Error properties are not enumerable, so JSON.stringify omits them.
    const lines = contest.logLines.map(({ fields, message }) => {
      const { err, ...rest } = fields as { err?: Error }
      return [message, JSON.stringify(rest), err?.message, err?.stack, String(err?.cause)].join('\n')
    })
    expect(lines.join('\n')).toContain('the ranking site')
    expect(lines.join('\n')).not.toMatch(/top secret|our secret there|access right/)
  })

  test('requires a code, and does not exist without a ranking site', async () => {
    await using other = await startContest()
    for (const at of [contest, other]) {
      expect(await at.call(exchangeExtrankCode, { body: {} as never })).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:extrankCode: /) },
      })
    }
    const { token } = await other.team()
    expect((await other.call(exchangeExtrankCode, { body: { extrankCode: 'x' } })).kind).toBe('badEndpoint')
    expect((await other.call(setExtrank, { token, body: { extrankToken: 'x' } })).kind).toBe('badEndpoint')
    expect((await other.call(removeExtrank, { token })).kind).toBe('badEndpoint')
  })
})

describe('a team from the ranking site', () => {
  test.each([registerV1, registerV2])('registers, signs in, and is in the export: %#', async (route) => {
    const id = `site-${route.path}`.replaceAll('/', '-').slice(0, 40)
    const name = `Site ${route.path.slice(5, 7)}`
    const body = { name, extrankToken: await handoff(id) }
    const registered = await contest.call(route, { body })
    expect(registered.kind).toMatch(/^goodRegister/)
    const { authToken } = registered.data as { authToken: string }
    expect((await contest.call(testToken, { token: authToken })).kind).toBe('goodToken')
    const again = await contest.call(login, { body: { extrankToken: await handoff(id) } })
    expect(again.kind).toBe('goodLogin')
    expect((await contest.call(route, { body: { ...body, name: `${name} again` } })).kind).toBe(
      'badKnownExtrankId',
    )
    // Without an email address, this is the only sign-in method.
    expect((await unlink({ token: authToken })).kind).toBe('badZeroAuth')
    const { token } = await contest.admin()
    expect((await contest.call(getExtrankLeaderboard, { token })).status).toBe(200)
  })

  test('is unknown until it registers, and its token expires', async () => {
    const extrankToken = await handoff('newcomer')
    expect((await contest.call(login, { body: { extrankToken } })).kind).toBe('badUnknownUser')
    contest.clock.advance(HOUR_MS + 1000)
    expect((await contest.call(login, { body: { extrankToken } })).kind).toBe('badExtrankToken')
    const registration = { name: 'too late', extrankToken }
    expect((await contest.call(registerV2, { body: registration })).kind).toBe('badExtrankToken')
    expect((await link(await contest.team(), extrankToken)).kind).toBe('badExtrankToken')
  })

  test('has no token that verify accepts', async () => {
    const verifyToken = await handoff('verifying')
    for (const route of [verifyV1, verifyV2]) {
      expect((await contest.call(route, { body: { verifyToken } })).kind).toBe('badTokenVerification')
    }
  })

  test('confirms its address first if mail is configured, before its token is read', async () => {
    await using strict = await startContest({ config: { ...withMail, extrank: siteClient } })
    const both = { name: 'Both', email: 'both@example.org', extrankToken: 'forged' }
    expect((await strict.call(registerV2, { body: both })).kind).toBe('goodVerifySent')
    const alone = { name: 'Alone', extrankToken: 'forged' }
    expect((await strict.call(registerV2, { body: alone })).kind).toBe('badExtrankToken')
  })
})

describe('linking', () => {
  test('replaces the previous team of the site', async () => {
    const team = await contest.team()
    expect((await link(team, await handoff('first'))).kind).toBe('goodExtrankAuthSet')
    expect((await link(team, await handoff('second'))).kind).toBe('goodExtrankAuthSet')
    expect(extrankIdOf(team)).toBe('second')
    expect(contest.world().findTeamByExtrankId('first')).toBeUndefined()
    expect((await link(team, await handoff('second'))).kind).toBe('goodExtrankAuthSet')
    const { data } = await contest.call(login, { body: { extrankToken: await handoff('second') } })
    expect(data).toHaveProperty('authToken')
  })

  test('is refused for a team that is linked already, also for two concurrent requests', async () => {
    const [one, two] = [await contest.team(), await contest.team()]
    expect((await link(one, await handoff('taken'))).kind).toBe('goodExtrankAuthSet')
    expect((await link(two, await handoff('taken'))).kind).toBe('badKnownExtrankId')
    expect(extrankIdOf(two)).toBeNull()
    const token = await handoff('wanted')
    const kinds = (await Promise.all([link(one, token), link(two, token)])).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['badKnownExtrankId', 'goodExtrankAuthSet'])
  })

  test('accepts only the token of the callback, and checks the caller first', async () => {
    const team = await contest.team()
    const { issueAuth, issueTeam } = contest.app.stores.tokens
    for (const wrong of ['', 'garbage', issueAuth(team.id), issueTeam(team.id)]) {
      expect((await link(team, wrong)).kind).toBe('badExtrankToken')
    }
    expect((await contest.call(setExtrank, { token: team.token, body: {} as never })).kind).toBe('badBody')
    expect((await link({}, await handoff('x'))).kind).toBe('badToken')
    expect((await link({ token: await handoff('x') }, await handoff('x'))).kind).toBe('badToken')
    expect((await unlink({})).kind).toBe('badToken')
  })

  test('can be removed if an address remains', async () => {
    const team = await contest.team()
    expect((await unlink(team)).kind).toBe('badExtrankNoExists')
    await link(team, await handoff('leaving'))
    expect((await unlink(team)).kind).toBe('goodExtrankRemoved')
    expect(extrankIdOf(team)).toBeNull()
    expect((await unlink(team)).kind).toBe('badExtrankNoExists')
    expect((await contest.call(login, { body: { extrankToken: await handoff('leaving') } })).kind).toBe(
      'badUnknownUser',
    )
    await link(team, await handoff('leaving'))
    await changeTeam(contest, team.id, sql`email = null`)
    expect((await unlink(team)).kind).toBe('badZeroAuth')
  })

  test('is refused if the team was deleted in the meantime', async () => {
    const team = await contest.team()
    // Deleted directly in the database, as by another process whose change this one has not seen.
    await contest.db.query(sql`delete from teams where id = ${team.id}`)
    expect((await link(team, await handoff('gone'))).kind).toBe('badUnknownUser')
    expect((await unlink(team)).kind).toBe('badUnknownUser')
  })
})
