import { removeEmail, setEmailV1, setEmailV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { changeTeam } from '../../../../test/team-rows.ts'
import { settleOutbox, tokenMailedTo, withMail } from '../../../../test/mail.ts'

let mailing: Contest
let silent: Contest
beforeAll(async () => {
  const divisionACLs = [
    { match: 'domain', value: 'uni.edu', divisions: ['uni'] },
    { match: 'any', divisions: ['open'] },
  ]
  const rules = { divisions: { open: 'Open', uni: 'University' }, divisionACLs }
  mailing = await startContest({ config: { ...withMail, ...rules } })
  silent = await startContest({ config: rules })
})
afterAll(async () => {
  await mailing[Symbol.asyncDispose]()
  await silent[Symbol.asyncDispose]()
})

function setVia(
  version: 'v1' | 'v2',
  contest: Contest,
  request: { token?: string; email: string; code?: string },
) {
  const { token, email, code } = request
  return version === 'v1'
    ? contest.call(setEmailV1, { token, body: { email, ...(code ? { legacyCaptchaCode: code } : {}) } })
    : contest.call(setEmailV2, { token, body: { email, ...(code ? { captchaCode: code } : {}) } })
}

const emailOf = (contest: Contest, id: string) => contest.world().team(id)?.email

describe.each(['v1', 'v2'] as const)('a new address in %s', (version) => {
  test('must be confirmed by mail if mail is configured', async () => {
    const { id, token } = await mailing.team()
    const before = emailOf(mailing, id)
    const email = `confirm-${version}@example.org`
    expect((await setVia(version, mailing, { token, email })).kind).toBe('goodVerifySent')
    expect(await tokenMailedTo(mailing, email, 'Update your email')).not.toBe('')
    expect(emailOf(mailing, id)).toBe(before)
  })

  test('that any team already has, including the caller, is refused and sends no mail', async () => {
    const [one, two] = [await mailing.team(), await mailing.team()]
    await settleOutbox(mailing)
    const before = mailing.mails.length
    for (const { id } of [one, two]) {
      const email = emailOf(mailing, id) ?? ''
      expect((await setVia(version, mailing, { token: one.token, email })).kind).toBe('badKnownEmail')
    }
    await settleOutbox(mailing)
    expect(mailing.mails).toHaveLength(before)
  })

  test("must be allowed in the team's division", async () => {
    const { id, token } = await mailing.team()
    await changeTeam(mailing, id, sql`division = 'uni'`)
    const email = `plain-${version}@example.org`
    expect((await setVia(version, mailing, { token, email })).kind).toBe('badEmailChangeDivision')
    const student = `student-${version}@uni.edu`
    expect((await setVia(version, mailing, { token, email: student })).kind).toBe('goodVerifySent')
  })

  test('is set immediately if no mail is configured', async () => {
    const [one, two] = [await silent.team(), await silent.team()]
    const email = `at-once-${version}@example.org`
    expect((await setVia(version, silent, { token: one.token, email })).kind).toBe('goodEmailSet')
    expect(emailOf(silent, one.id)).toBe(email)
    expect((await setVia(version, silent, { token: one.token, email })).kind).toBe('goodEmailSet')
    expect((await setVia(version, silent, { token: two.token, email })).kind).toBe('badKnownEmail')
  })

  test('must be valid, and requires a signed-in team', async () => {
    const { token } = await silent.team()
    expect((await setVia(version, silent, { token, email: 'nobody' })).kind).toBe('badEmail')
    expect((await setVia(version, silent, { token, email: 7 as never })).kind).toBe('badBody')
    expect((await setVia(version, silent, { email: 'nobody' })).kind).toBe('badToken')
  })

  test('requires a captcha and applies a stricter limit if configured', async () => {
    const provider = { name: 'captcha/static', options: { code: 'right' } }
    const captcha = { provider, protectedEndpoints: ['setEmail'] }
    await using strict = await startContest({ config: { ...withMail, captcha, rateLimits: {} } })
    const { token } = await strict.team()
    const request = { token, email: 'a@example.org', code: 'right' }
    const refusal = version === 'v1' ? 'badLegacyCaptchaCode' : 'badCaptcha'
    expect((await setVia(version, strict, { ...request, code: 'wrong' })).kind).toBe(refusal)
    for (let times = 0; times < 3; times++) {
      expect((await setVia(version, strict, request)).kind).toBe('goodVerifySent')
    }
    expect((await setVia(version, strict, request)).kind).toBe('badRateLimit')
  })

  test('for a team that is deleted during the request is refused with the reason', async () => {
    const { id, token } = await silent.team()
    // The held change lock makes the deletion and the request compete; the deletion comes first.
    const deletion = silent.db.change(async (tx) => {
      const response = setVia(version, silent, { token, email: `left-${version}@example.org` })
      await waitForChange(silent)
      await tx.query(sql`delete from teams where id = ${id}`)
      tx.changed('teams', [id])
      return { response }
    })
    expect((await (await deletion).response).kind).toBe('badUnknownUser')
  })
})

/** Waits until another transaction waits for the change lock. */
async function waitForChange({ db }: Contest): Promise<void> {
  await vi.waitUntil(
    async () =>
      (
        await db.query(sql`
          select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`)
      ).length > 0,
    { timeout: 60_000, interval: 5 },
  )
}

describe('removing the address', () => {
  const remove = (contest: Contest, token?: string) => contest.call(removeEmail, { token })

  test('works once, while the ranking site remains linked', async () => {
    const { id, token } = await mailing.team()
    expect((await remove(mailing, token)).kind).toBe('badZeroAuth')
    await changeTeam(mailing, id, sql`extrank_id = ${id}`)
    expect((await remove(mailing, token)).kind).toBe('goodEmailRemoved')
    expect(emailOf(mailing, id)).toBeNull()
    expect((await remove(mailing, token)).kind).toBe('badEmailNoExists')
  })

  test('does not exist without mail, and requires a team', async () => {
    const { token } = await silent.team()
    expect((await remove(silent, token)).kind).toBe('badEndpoint')
    expect((await remove(silent)).kind).toBe('badToken')
  })

  test('for a team that is deleted during the request is refused with the reason', async () => {
    const { id, token } = await mailing.team()
    const deletion = mailing.db.change(async (tx) => {
      const response = remove(mailing, token)
      await waitForChange(mailing)
      await tx.query(sql`delete from teams where id = ${id}`)
      tx.changed('teams', [id])
      return { response }
    })
    expect((await (await deletion).response).kind).toBe('badUnknownUser')
  })
})
