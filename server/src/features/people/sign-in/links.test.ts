import { DAY_MS, HOUR_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/sign-in.ts'
import * as sessionContract from '@pennant/contract/sessions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { settleOutbox, tokenIn, tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { personIn, teamless } from '../../../../test/people.ts'
import { personRows } from '../persons/rows.ts'

let contest: Contest
beforeAll(async () => {
  contest = await startContest({ config: withMail })
})
afterAll(() => contest[Symbol.asyncDispose]())
afterEach(() => settleOutbox(contest))

async function mailed(email: string): Promise<string> {
  expect((await contest.call(contract.askSignInMail, { body: { email } })).kind).toBe('goodVerifySent')
  return await tokenMailedTo(contest, email)
}

const follow = (token: string, name?: string) =>
  contest.call(contract.useSignInLink, { body: { token, ...(name !== undefined && { name }) } })

const ways = async (token: string) => (await contest.call(contract.readSignInWays, { token })).data

describe('a link by mail', () => {
  test('creates the person at the first use, with a name, and works once', async () => {
    const token = await mailed('ada@example.org')
    const info = await contest.call(contract.readSignInLink, { body: { token } })
    expect(info.data).toEqual({ kind: 'mail', email: 'ada@example.org', name: null })
    expect((await follow(token)).kind).toBe('badNameNeeded')
    const signedIn = await follow(token, ' Ada ')
    expect(signedIn.data).toMatchObject({ person: { name: 'Ada' }, isNew: true })
    expect((await follow(token, 'Ada')).kind).toBe('badSignInLink')
    expect((await contest.call(contract.readSignInLink, { body: { token } })).kind).toBe('badSignInLink')
    const { authToken } = signedIn.data as { authToken: string }
    expect(await ways(authToken)).toMatchObject({ email: 'ada@example.org', personalLink: false })
    expect((await follow(await mailed('ada@example.org'))).data).toMatchObject({ isNew: false })
  })

  test('expires', async () => {
    const token = await mailed('late@example.org')
    contest.clock.advance(HOUR_MS + SECOND_MS)
    expect((await follow(token, 'Late')).kind).toBe('badSignInLink')
  })

  test.each(['', ' ', 'a\u202eb', 'a\u0000b', 'a\nb', 'x'.repeat(65)])(
    'refuses the name %j',
    async (name) => {
      expect((await follow(await mailed('odd@example.org'), name)).kind).toBe('badBody')
      await contest.db.query(sql`delete from outbox`)
      contest.clock.advance(HOUR_MS)
    },
  )

  test('is one person for two uses of two mails at a time', async () => {
    for (const _ of [1, 2]) await mailed('both@example.org')
    await settleOutbox(contest)
    const [one = '', two = ''] = contest.mails.slice(-2).map(({ text }) => tokenIn(text))
    const results = await Promise.all([follow(one, 'One'), follow(two, 'Two')])
    expect(results.map(({ kind }) => kind)).toEqual(['goodPersonSignIn', 'goodPersonSignIn'])
    const [{ count } = { count: 0 }] = await contest.db.query<{ count: number }>(
      sql`select count(*)::int as count from persons where email = 'both@example.org'`,
    )
    expect(count).toBe(1)
  })

  test('is sent to no unknown address while registration is closed, with the same response', async () => {
    await using closed = await startContest({ config: { ...withMail, registrationsEnabled: false } })
    await teamless(closed, { email: 'known@example.org' })
    for (const email of ['known@example.org', 'unknown@example.org'])
      expect((await closed.call(contract.askSignInMail, { body: { email } })).kind).toBe('goodVerifySent')
    await settleOutbox(closed)
    expect(closed.mails.map(({ to }) => to)).toEqual(['known@example.org'])
  })

  test('floods no mailbox', async () => {
    const before = contest.mails.length
    for (let sent = 0; sent < 12; sent += 1) {
      const asked = await contest.call(contract.askSignInMail, { body: { email: 'flooded@example.org' } })
      expect(asked.kind).toBe('goodVerifySent')
    }
    await settleOutbox(contest)
    expect(contest.mails.length - before).toBe(10)
  })

  test('does not exist without mail, nor without people', async () => {
    await using silent = await startContest()
    await using teamsOnly = await startContest({ config: { ...withMail, people: 'off' } })
    for (const { call } of [silent, teamsOnly])
      expect((await call(contract.askSignInMail, { body: { email: 'a@example.org' } })).kind).toBe(
        'badEndpoint',
      )
    const body = { token: contest.app.stores.tokens.issuePersonal('x', 0) }
    expect((await teamsOnly.call(contract.useSignInLink, { body })).kind).toBe('badEndpoint')
    expect((await teamsOnly.call(contract.readSignInLink, { body })).kind).toBe('badEndpoint')
  })
})

describe('a personal link', () => {
  const renew = async (token: string) => {
    const { data } = await contest.call(contract.renewPersonalLink, { token })
    return tokenIn((data as { link: string }).link)
  }

  test('signs in until it is renewed', async () => {
    const { token } = await teamless(contest, { name: 'Kept' })
    const first = await renew(token)
    expect((await contest.call(contract.readSignInLink, { body: { token: first } })).data).toEqual({
      kind: 'personal',
      email: null,
      name: 'Kept',
    })
    expect((await follow(first)).kind).toBe('goodPersonSignIn')
    expect((await follow(first)).kind).toBe('goodPersonSignIn')
    const second = await renew(token)
    expect((await follow(first)).kind).toBe('badSignInLink')
    expect((await follow(second)).kind).toBe('goodPersonSignIn')
  })

  test('ends with all sessions of the person', async () => {
    const { id, token } = await teamless(contest)
    const link = await renew(token)
    await contest.db.change(async (tx) => {
      await tx.query(sql`update persons set sessions_valid_from = to_timestamp(${contest.clock.now() / 1000 + 60})
        where id = ${id}`)
      tx.changed(personRows, [id])
    })
    expect((await follow(link)).kind).toBe('badSignInLink')
  })

  test('is no bearer token, and a session is no link', async () => {
    const { token } = await teamless(contest)
    const link = await renew(token)
    expect((await contest.call(contract.readSignInWays, { token: link })).kind).toBe('badToken')
    expect((await contest.call(readOwnProfileV2, { token: link })).kind).toBe('badToken')
    expect((await follow(token)).kind).toBe('badSignInLink')
  })

  test('is no last way to lose', async () => {
    const { token } = await teamless(contest)
    const remove = async () => (await contest.call(contract.removePersonalLink, { token })).kind
    expect(await remove()).toBe('badLastWay')
    const link = await renew(token)
    expect(await remove()).toBe('badLastWay')
    await contest.call(contract.setPersonEmail, { token, body: { email: 'second@example.org' } })
    const confirm = await tokenMailedTo(contest, 'second@example.org')
    expect((await follow(confirm)).kind).toBe('goodAddressConfirmed')
    expect(await ways(token)).toMatchObject({ email: 'second@example.org', personalLink: true })
    expect(await remove()).toBe('goodWayRemoved')
    expect((await follow(link)).kind).toBe('badSignInLink')
    expect((await contest.call(contract.removePersonEmail, { token })).kind).toBe('badLastWay')
    await renew(token)
    expect((await contest.call(contract.removePersonEmail, { token })).kind).toBe('goodWayRemoved')
  })
})

test('the address of another person is not taken', async () => {
  await teamless(contest, { email: 'taken@example.org' })
  const { token } = await teamless(contest)
  await contest.call(contract.setPersonEmail, { token, body: { email: 'taken@example.org' } })
  const confirm = await tokenMailedTo(contest, 'taken@example.org')
  expect((await contest.call(contract.readSignInLink, { body: { token: confirm } })).data).toMatchObject({
    kind: 'address',
  })
  expect((await follow(confirm)).kind).toBe('badKnownEmail')
  expect(await ways(token)).toMatchObject({ email: null })
})

test('the token of a team has no ways to sign in of a person', async () => {
  const { token } = await contest.team()
  expect((await contest.call(contract.readSignInWays, { token })).kind).toBe('badNoPerson')
  expect((await contest.call(contract.renewPersonalLink, { token })).kind).toBe('badNoPerson')
  expect((await contest.call(sessionContract.listSessions, {})).kind).toBe('badToken')
})

describe('sessions', () => {
  const list = async (token: string) => {
    const { data } = await contest.call(sessionContract.listSessions, { token })
    return (data as { sessions: { id: string; isCurrent: boolean; lastUsedAt: number }[] }).sessions
  }
  const signedIn = async () => {
    const { id, token } = await teamless(contest, { lifeMs: DAY_MS })
    const { data } = await contest.call(contract.renewPersonalLink, { token })
    const link = tokenIn((data as { link: string }).link)
    const again = await follow(link)
    return { id, link, token, other: (again.data as { authToken: string }).authToken }
  }

  test('are listed and ended one by one', async () => {
    const { token, other } = await signedIn()
    const sessions = await list(token)
    expect(sessions).toHaveLength(2)
    const mine = sessions.find(({ isCurrent }) => isCurrent)?.id ?? ''
    const theirs = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const end = (id: string, by = token) =>
      contest.call(sessionContract.endSession, { token: by, params: { id } })
    expect((await end(theirs)).data).toEqual({ ended: 1 })
    expect((await end(theirs)).kind).toBe('badSession')
    expect((await contest.call(sessionContract.listSessions, { token: other })).kind).toBe('badToken')
    const stranger = await teamless(contest)
    expect((await end(mine, stranger.token)).kind).toBe('badSession')
    expect((await end(mine)).kind).toBe('goodSessionsEnded')
    expect((await contest.call(sessionContract.listSessions, { token })).kind).toBe('badToken')
  })

  test('end but for the current one', async () => {
    const { token, other } = await signedIn()
    expect((await contest.call(sessionContract.endOtherSessions, { token })).data).toEqual({ ended: 1 })
    expect(await list(token)).toMatchObject([{ isCurrent: true }])
    expect((await contest.call(sessionContract.listSessions, { token: other })).kind).toBe('badToken')
  })

  test('are shorter for organisers, even if they joined the team later', async () => {
    const { id, token, link } = await signedIn()
    const organisers = await contest.admin()
    const expiresIn = async () => {
      const { data } = await follow(link)
      return (data as { expiresAt: number }).expiresAt - Math.floor(contest.clock.now() / 1000) * 1000
    }
    expect(await expiresIn()).toBe(30 * DAY_MS)
    await contest.db.change(async (tx) => {
      await tx.query(sql`update persons set team_id = ${organisers.id} where id = ${id}`)
      tx.changed(personRows, [id])
    })
    expect(await expiresIn()).toBe(12 * HOUR_MS)
    expect((await contest.call(readOwnProfileV2, { token })).kind).toBe('goodUserSelfData')
    contest.clock.advance(12 * HOUR_MS)
    expect((await contest.call(readOwnProfileV2, { token })).kind).toBe('badToken')
  })

  test('record their use, and the oldest end beyond a hundred', async () => {
    const { id, token, link } = await signedIn()
    contest.clock.advance(HOUR_MS)
    await list(token)
    await expect
      .poll(async () => (await list(token)).find(({ isCurrent }) => isCurrent)?.lastUsedAt)
      .toBe(contest.clock.now())
    await contest.db.query(sql`
      insert into person_sessions (id, person_id, methods, created_at, last_used_at, expires_at)
      select ${id} || n, ${id}, '{link}', to_timestamp(${contest.clock.now() / 1000 - 1800}), to_timestamp(0),
        to_timestamp(${contest.clock.now() / 1000 + 3600}) from generate_series(1, 98) n`)
    await follow(link)
    expect(await contest.call(sessionContract.listSessions, { token })).toMatchObject({ kind: 'badToken' })
  })
})

test('organisers sign in with the token of their team whatever people use', async () => {
  await using strict = await startContest({ config: { ...withMail, people: 'required' } })
  const admin = await strict.admin()
  expect((await strict.call(readOwnProfileV2, { token: admin.token })).kind).toBe('goodUserSelfData')
  const person = await personIn(strict, admin.id)
  expect((await strict.call(readOwnProfileV2, { token: person.token })).kind).toBe('goodUserSelfData')
})

test('a mail needs an address, a captcha where mail is protected, and mail', async () => {
  const captcha = {
    provider: { name: 'captcha/static', options: { code: 'human' } },
    protectedEndpoints: ['recover'],
  }
  await using guarded = await startContest({ config: { ...withMail, captcha } })
  const { token } = await teamless(guarded)
  const ask = async (email: string, captchaCode: string, of = guarded) => {
    const body = { email, captchaCode }
    const own = of === guarded ? token : (await teamless(of)).token
    return [
      (await of.call(contract.askSignInMail, { body })).kind,
      (await of.call(contract.setPersonEmail, { token: own, body })).kind,
    ]
  }
  expect(await ask('nothing', 'human')).toEqual(['badEmail', 'badEmail'])
  expect(await ask('ada@example.org', 'robot')).toEqual(['badCaptcha', 'badCaptcha'])
  await using silent = await startContest()
  expect(await ask('ada@example.org', '', silent)).toEqual(['badEndpoint', 'badEndpoint'])
})
