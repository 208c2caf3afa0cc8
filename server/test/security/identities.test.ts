import { recoverV2, registerV2 } from '@pennant/contract/accounts.ts'
import { createMember, setEmailV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../harness.ts'
import { settleOutbox, tokenIn, withMail } from '../mail.ts'
import { changeTeam } from '../team-rows.ts'

// Class S1 (README.md): no one can take over another team with a name or address that only looks different.

const NAME = 'Team One'
const EMAIL = 'first@example.org'

/** Spellings that count as the same name: different case and any surrounding white space. */
const sameNames = [
  'team one',
  'TEAM ONE',
  ' Team One ',
  'Team  One',
  'tEAM    one',
  '\u3000Team One\u2003',
  '\ufeffTeam One\u00a0',
  'Team One\r\n',
]
const sameEmails = [
  'FIRST@example.org',
  'first@EXAMPLE.ORG',
  ' First@Example.Org ',
  '\u3000first@example.org\ufeff',
]

/** Names that look the same but contain other characters are invalid. */
const noNames = [
  'Ｔｅａｍ Ｏｎｅ',
  'T\u0435am One',
  'Team\u00a0One',
  'Team\u200bOne',
  'Team\tOne',
  'Team One\0',
  'Team Öne',
  'Team\u202eOne',
]
const noEmails = `
  ﬁrst@example.org
  first＠example.org
  first@example。org
  f\u0131rst@example.org
  first@example.org\0
  first@example.org.
  .first@example.org
  fi..rst@example.org
  first@example.org,x@y.org
  "first"@example.org
  first@[127.0.0.1]
  first@localhost
  first@@example.org
  a<first@example.org>
  first@example.org\rBcc:x@y.org`
  .split('\n  ')
  .slice(1)
/** Unicode lower-cases the Kelvin sign to an ASCII k. */
const KELVIN = '\u212aim@example.org'

let contest: Contest
let first: Member
let second: Member
beforeAll(async () => {
  contest = await startContest()
  first = await contest.team(NAME)
  second = await contest.team('Team Two')
  await changeTeam(contest, first.id, sql`email = ${EMAIL}`)
  await changeTeam(contest, second.id, sql`email = 'kim@example.org'`)
})
afterAll(() => contest[Symbol.asyncDispose]())

let serial = 0
const register = async (body: { name?: string; email?: string }) =>
  (
    await contest.call(registerV2, {
      body: { name: `new ${++serial}`, email: `new-${serial}@example.org`, ...body },
    })
  ).kind
const rename = async (name: string) => {
  contest.clock.advance(60_000)
  return (await contest.call(updateProfileV2, { token: second.token, body: { name } })).kind
}
const readdress = async (email: string) =>
  (await contest.call(setEmailV2, { token: second.token, body: { email } })).kind

describe('a name', () => {
  test.each(sameNames)('%j counts as the same name', async (name) => {
    expect([await register({ name }), await rename(name)]).toEqual(['badKnownName', 'badKnownName'])
  })

  test.each(noNames)('%j is not a valid name', async (name) => {
    expect([await register({ name }), await rename(name)]).toEqual(['badName', 'badName'])
  })

  test('without the space is different', async () => {
    expect(await register({ name: 'TeamOne' })).toBe('goodRegisterV2')
  })
})

describe('an address', () => {
  test.each(sameEmails)('%j counts as the same address', async (email) => {
    expect([await register({ email }), await readdress(email)]).toEqual(['badKnownEmail', 'badKnownEmail'])
  })

  test.each([...noEmails, KELVIN])('%j is not a valid address', async (email) => {
    expect([await register({ email }), await readdress(email)]).toEqual(['badEmail', 'badEmail'])
    const member = await contest.call(createMember, { token: second.token, body: { email } })
    expect(member.kind).toBe('badEmail')
  })

  test('with a dot or a plus is different, even if some providers deliver it to the same mailbox', async () => {
    expect(await register({ email: 'f.irst@example.org' })).toBe('goodRegisterV2')
    expect(await register({ email: 'first+x@example.org' })).toBe('goodRegisterV2')
  })
})

test("sends recovery to the team's stored address, with a token for its id", async () => {
  await using mailing = await startContest({ config: withMail })
  const { id } = await mailing.team(NAME)
  await changeTeam(mailing, id, sql`email = ${EMAIL}`)
  for (const email of [...sameEmails, 'f.irst@example.org', 'first+x@example.org']) {
    expect((await mailing.call(recoverV2, { body: { email } })).kind).toBe('goodVerifySent')
  }
  for (const email of [...noEmails, KELVIN]) {
    expect((await mailing.call(recoverV2, { body: { email } })).kind).toBe('badEmail')
  }
  await settleOutbox(mailing)
  expect(mailing.mails.map(({ to }) => to)).toEqual(sameEmails.map(() => EMAIL))
  for (const { text } of mailing.mails) {
    expect(mailing.app.stores.tokens.open(tokenIn(text), ['team'])).toMatchObject({
      kind: 'team',
      teamId: id,
    })
  }
})
